"""A workload as Flink SQL in one JVM: WORKLOAD ORDERS CUSTOMERS OUTPUT SERVERS PARALLELISM STATE_FOLDER JAR.

Runs in an environment of its own (requirements.txt beside it). It ends when all orders there are were read.
"""

import sys

from pyflink.table import EnvironmentSettings, TableEnvironment

WORKLOAD, ORDERS, CUSTOMERS, OUTPUT, SERVERS, PARALLELISM, STATE, JAR = sys.argv[1:]
SETTINGS = {
    "pipeline.jars": f"file://{JAR}",
    "parallelism.default": PARALLELISM,
    "table.local-time-zone": "UTC",
    "execution.checkpointing.interval": "10 s",
    "execution.checkpointing.dir": f"file://{STATE}",
}
FROM_KAFKA = (
    f"'properties.bootstrap.servers' = '{SERVERS}', 'properties.group.id' = '{OUTPUT}', 'value.format' = 'json', "
    "'scan.bounded.mode' = 'latest-offset'"
)
SOURCES = (
    f"""
    CREATE TABLE orders (order_id STRING, customer_id STRING, region STRING, product STRING, amount DOUBLE, ts BIGINT,
      currency STRING, channel STRING, event_time AS TO_TIMESTAMP_LTZ(ts, 3),
      WATERMARK FOR event_time AS event_time - INTERVAL '10' SECOND)
    WITH ('connector' = 'kafka', 'topic' = '{ORDERS}', 'scan.startup.mode' = 'earliest-offset', {FROM_KAFKA})
    """,
    f"""
    CREATE TABLE customers (customer_id STRING, tier STRING, event_time TIMESTAMP_LTZ(3) METADATA FROM 'timestamp',
      WATERMARK FOR event_time AS event_time, PRIMARY KEY (customer_id) NOT ENFORCED)
    WITH ('connector' = 'upsert-kafka', 'topic' = '{CUSTOMERS}', 'key.format' = 'raw', {FROM_KAFKA})
    """,
    f"""
    CREATE TABLE homes (customer_id STRING, home STRING, event_time TIMESTAMP_LTZ(3) METADATA FROM 'timestamp',
      WATERMARK FOR event_time AS event_time, PRIMARY KEY (customer_id) NOT ENFORCED)
    WITH ('connector' = 'upsert-kafka', 'topic' = 'homes', 'key.format' = 'raw', {FROM_KAFKA})
    """,
)
UPSERTS = "'connector' = 'upsert-kafka', 'key.format' = 'json'"
APPENDS = "'connector' = 'kafka', 'key.format' = 'raw', 'key.fields' = 'customer_id'"
PARTS = {
    "W1": (
        APPENDS,
        "order_id STRING, customer_id STRING, amount DOUBLE, amount_with_tax DOUBLE",
        "SELECT order_id, customer_id, amount, amount * CAST(1.2 AS DOUBLE) FROM orders WHERE amount >= 100",
    ),
    "W1-wide": (
        APPENDS,
        "order_id STRING, customer_id STRING, region STRING, product STRING, amount DOUBLE, ts BIGINT, "
        "currency STRING, channel STRING, amount_with_tax DOUBLE",
        """SELECT order_id, customer_id, region, product, amount, ts, currency, channel, amount * CAST(1.2 AS DOUBLE)
           FROM orders WHERE amount >= 100""",
    ),
    "W2": (
        APPENDS,
        "customer_id STRING, window_start BIGINT, `count` BIGINT",
        """SELECT customer_id, UNIX_TIMESTAMP(CAST(window_start AS STRING)) * 1000, counted FROM (
             SELECT customer_id, window_start, COUNT(*) AS counted
             FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(event_time), INTERVAL '1' MINUTE))
             GROUP BY customer_id, window_start, window_end)""",
    ),
    "W3": (
        UPSERTS,
        "tier STRING, region STRING, `count` BIGINT, PRIMARY KEY (tier, region) NOT ENFORCED",
        """SELECT tier, region, COUNT(*) FROM (
             SELECT c.tier, o.region FROM orders o
             LEFT JOIN customers FOR SYSTEM_TIME AS OF o.event_time AS c ON o.customer_id = c.customer_id)
           GROUP BY tier, region""",
    ),
    "W3-twice": (
        UPSERTS,
        "tier STRING, region STRING, `count` BIGINT, PRIMARY KEY (tier, region) NOT ENFORCED",
        """SELECT tier, home, COUNT(*) FROM (
             SELECT c.tier, h.home FROM orders o
             LEFT JOIN customers FOR SYSTEM_TIME AS OF o.event_time AS c ON o.customer_id = c.customer_id
             LEFT JOIN homes FOR SYSTEM_TIME AS OF o.event_time AS h ON o.customer_id = h.customer_id)
           GROUP BY tier, home""",
    ),
    "W4": (
        UPSERTS,
        "customer_id STRING, `count` BIGINT, `sum` DOUBLE, `avg` DOUBLE, PRIMARY KEY (customer_id) NOT ENFORCED",
        "SELECT customer_id, COUNT(*), SUM(amount), AVG(amount) FROM orders GROUP BY customer_id",
    ),
}


def main() -> None:
    connector, columns, query = PARTS[WORKLOAD]
    tables = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    for name, value in SETTINGS.items():
        tables.get_config().set(name, value)
    for source in SOURCES:
        tables.execute_sql(source)
    tables.execute_sql(
        f"CREATE TABLE results ({columns}) WITH ({connector}, 'topic' = '{OUTPUT}', "
        f"'properties.bootstrap.servers' = '{SERVERS}', 'value.format' = 'json')"
    )
    tables.execute_sql(f"INSERT INTO results {query}").wait()


main()
