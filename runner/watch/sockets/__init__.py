"""What the websockets share: addresses, who may look, and following something that grows."""
