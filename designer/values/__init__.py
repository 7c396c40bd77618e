"""Values and types of records: the keys and values that are allowed, exact to the last digit.

It imports no other room of the designer. Begin with `schemas.py`: types, and the schema that a port carries.

- `tuples`: values beyond Python's own, such as a key with its window.
- `longs`, `decimals`, `logical`: numbers and times as Java, SQL and Avro have them.
- `exact_json`: JSON whose numbers keep their digits.
"""
