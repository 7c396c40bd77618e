"""Codes of what cannot be imported or exported."""

from designer.refusal_codes import RefusalCode


class ExportCode(RefusalCode):
    """Codes of what cannot be imported or exported."""

    DESCRIPTION_MALFORMED = ("description.malformed", "The text is not a description that Kafka Streams prints.")
