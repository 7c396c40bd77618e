//! Exact decimals: a whole number and how many of its digits are after the point (`designer/values/decimals.py`).
//! Results that would lose digits, or need more than their type has, are `Unsure`. Only quotients are rounded.

use std::cmp::Ordering;

use crate::value::{Sure, Unsure, Val};

const MOST: u32 = 38;

/// `digits` of them are after the point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal {
    pub number: i128,
    pub digits: u8,
}

/// The digits that a type has, and those after the point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digits {
    pub precision: u8,
    pub scale: u8,
}

impl Digits {
    /// True if no type has more digits, so that a result may need more than its type has.
    pub fn is_widest(self) -> bool {
        u32::from(self.precision) == MOST
    }
}

impl Decimal {
    /// The number of a text: digits with or without a point, and no exponent.
    pub fn read(text: &str) -> Sure<Decimal> {
        let (is_negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (whole, part) = rest.split_once('.').unwrap_or((rest, ""));
        let is_right = !whole.is_empty() && part.is_empty() != rest.contains('.');
        if !is_right || whole.len() + part.len() > MOST as usize {
            return Err(Unsure);
        }
        let number = whole.bytes().chain(part.bytes()).try_fold(0_i128, |number, byte| {
            if byte.is_ascii_digit() { Ok(number * 10 + i128::from(byte - b'0')) } else { Err(Unsure) }
        })?;
        if is_negative && number == 0 {
            return Err(Unsure); // there is no negative zero
        }
        let digits = u8::try_from(part.len()).map_err(|_| Unsure)?;
        Ok(Decimal { number: if is_negative { -number } else { number }, digits })
    }

    /// The number that Python's `str` wrote.
    pub fn read_str(text: &str) -> Sure<Decimal> {
        let Some((digits, exponent)) = text.split_once("E-") else { return Decimal::read(text) };
        if digits.starts_with("-0") && !digits.contains(|digit: char| ('1'..='9').contains(&digit)) {
            return Err(Unsure);
        }
        let Decimal { number, digits } = Decimal::read(digits)?;
        let more: u8 = exponent.parse().map_err(|_| Unsure)?;
        Ok(Decimal { number, digits: digits.checked_add(more).ok_or(Unsure)? })
    }

    /// The same number with as many digits after the point as a type has.
    pub fn fit(self, type_: Digits) -> Sure<Decimal> {
        let fitted = self.widen(type_.scale)?;
        if fitted.number.unsigned_abs() < 10_u128.pow(u32::from(type_.precision)) { Ok(fitted) } else { Err(Unsure) }
    }

    fn widen(self, digits: u8) -> Sure<Decimal> {
        let more = digits.checked_sub(self.digits).ok_or(Unsure)?;
        let number = self.number.checked_mul(10_i128.checked_pow(more.into()).ok_or(Unsure)?).ok_or(Unsure)?;
        Ok(Decimal { number, digits })
    }

    fn align(self, other: Decimal) -> Sure<(i128, i128, u8)> {
        let digits = self.digits.max(other.digits);
        Ok((self.widen(digits)?.number, other.widen(digits)?.number, digits))
    }

    pub fn add(self, other: Decimal) -> Sure<Decimal> {
        let (one, two, digits) = self.align(other)?;
        Ok(Decimal { number: one.checked_add(two).ok_or(Unsure)?, digits })
    }

    pub fn multiply(self, other: Decimal) -> Sure<Decimal> {
        let digits = self.digits.checked_add(other.digits).ok_or(Unsure)?;
        Ok(Decimal { number: self.number.checked_mul(other.number).ok_or(Unsure)?, digits })
    }

    /// The quotient with as many digits after the point as a type has, halves rounded away from zero.
    ///
    /// Python rounds a quotient to 38 digits after the point before it rounds it to those of the type, as Spark does.
    /// So a fraction just below a half may become a half, which is then rounded up.
    pub fn divide(self, other: Decimal, type_: Digits) -> Sure<Decimal> {
        let power = i32::from(other.digits) + i32::from(type_.scale) - i32::from(self.digits);
        let factor = 10_u128.checked_pow(power.unsigned_abs()).ok_or(Unsure)?;
        let (mut dividend, mut divisor) = (self.number.unsigned_abs(), other.number.unsigned_abs());
        let scaled = if power < 0 { &mut divisor } else { &mut dividend };
        *scaled = scaled.checked_mul(factor).ok_or(Unsure)?;
        let mut quotient = dividend.checked_div(divisor).ok_or(Unsure)?;
        let rest = dividend % divisor;
        // twice the rest may need one bit more, so the other half of the divisor is compared
        let is_half = match rest.checked_sub(divisor - rest) {
            Some(_) => true,
            None if u32::from(type_.scale) == MOST => false,
            None => {
                let missing = divisor - rest - rest;
                let unit = 10_u128.pow(MOST - u32::from(type_.scale));
                missing.checked_mul(unit).is_some_and(|missing| missing <= divisor)
            }
        };
        quotient += u128::from(is_half);
        let number = i128::try_from(quotient).map_err(|_| Unsure)?;
        let is_negative = (self.number < 0) != (other.number < 0);
        Decimal { number: if is_negative { -number } else { number }, digits: type_.scale }.fit(type_)
    }

    pub fn negate(self) -> Decimal {
        Decimal { number: -self.number, digits: self.digits } // it has at most 38 digits
    }

    pub fn compare(self, other: Decimal) -> Sure<Ordering> {
        self.align(other).map(|(one, two, _)| one.cmp(&two))
    }

    /// As Python's `str` writes it: with an exponent if more than five zeros would follow the point.
    pub fn write_str(self, out: &mut Vec<u8>) {
        let text = self.number.unsigned_abs().to_string();
        let after = i32::from(self.digits);
        let before = i32::try_from(text.len()).unwrap_or(i32::MAX) - after;
        if before > -6 {
            return self.write(out);
        }
        if self.number < 0 {
            out.push(b'-');
        }
        let (first, rest) = text.split_at(1);
        out.extend(first.as_bytes());
        if !rest.is_empty() {
            out.push(b'.');
            out.extend(rest.as_bytes());
        }
        out.extend(format!("E{}", before - 1).as_bytes());
    }

    /// All digits, without an exponent.
    pub fn write(self, out: &mut Vec<u8>) {
        if self.number < 0 {
            out.push(b'-');
        }
        let text = self.number.unsigned_abs().to_string();
        let after = usize::from(self.digits);
        let padded = format!("{text:0>width$}", width = after + 1);
        let (whole, part) = padded.split_at(padded.len() - after);
        out.extend(whole.as_bytes());
        if after > 0 {
            out.push(b'.');
            out.extend(part.as_bytes());
        }
    }
}

/// A decimal or an integer.
pub fn to_decimal(value: &Val) -> Sure<Decimal> {
    match value {
        Val::Decimal(number) => Ok(*number),
        Val::Int(number) => Ok(Decimal { number: i128::from(*number), digits: 0 }),
        _ => Err(Unsure),
    }
}
