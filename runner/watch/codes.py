"""Codes of refusals about what users watch."""

from designer.refusal_codes import RefusalCode


class WatchCode(RefusalCode):
    """Codes of refusals about what users watch."""

    METRICS_OFF = ("metrics.off", "No token for the metrics is set.")
    METRICS_NOT_PERMITTED = ("metrics.not_permitted", "The token for the metrics is missing or wrong.")
    VIEWERS_TOO_MANY = ("viewers.too_many", "Too many viewers follow topics or logs.")
    CASE_TOO_MUCH_LEFT = ("case.too_much_left", "The test case gives more records than can be compared.")
    CASE_NOT_TRIED = ("case.not_tried", "The records of the test case cannot be tried.")
    TRIAL_BAD_LINE = ("trial.bad_line", "A line is not a record.")
    TRIAL_BUSY = ("trial.busy", "Too many trials are waiting for their turn.")
    RECORD_NOT_BASE64 = ("record.not_base64", "The text is not base64.")
    RECORD_NOT_ENCODED = ("record.not_encoded", "The text does not fit the format of the key or the value.")
    RECORD_NOT_PRODUCED = ("record.not_produced", "Kafka did not accept the record.")
    QUERY_NO_ANSWER = ("query.no_answer", "The run did not answer in time.")
    ALERTS_BAD_ADDRESS = ("alerts.bad_address", "A webhook may not go to this address.")
    ALERTS_BAD_CHANNEL = ("alerts.bad_channel", "The settings are not enough to send messages.")
    ALERTS_BAD_RULE = ("alerts.bad_rule", "The rule does not fit its kind of alert.")
    ALERTS_MAIL_OFF = ("alerts.mail_off", "No mail server is set.")
