//! Kafka's hash of record keys, by which its partitioner chooses (`Utils.murmur2` in Kafka's Java client).

const M: u32 = 0x5BD1_E995;
const SEED: u32 = 0x9747_B28C;

/// The hash of a key, made positive (`Utils.toPositive`).
pub fn hash_key(key: &[u8]) -> u32 {
    let (words, rest) = key.as_chunks();
    // Java's length is an int, and hashes take it as it is
    #[allow(clippy::cast_possible_truncation)]
    let mut hash = SEED ^ key.len() as u32;
    for word in words {
        let mut word = u32::from_le_bytes(*word).wrapping_mul(M);
        word ^= word >> 24;
        hash = hash.wrapping_mul(M) ^ word.wrapping_mul(M);
    }
    if !rest.is_empty() {
        let mut tail = [0; 4];
        tail[..rest.len()].copy_from_slice(rest);
        hash = (hash ^ u32::from_le_bytes(tail)).wrapping_mul(M);
    }
    hash ^= hash >> 13;
    hash = hash.wrapping_mul(M);
    hash ^= hash >> 15;
    hash & 0x7FFF_FFFF
}
