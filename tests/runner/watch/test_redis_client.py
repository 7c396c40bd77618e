"""The connections to Redis that the rooms of watch share."""

import gc

from runner.watch import redis_client as module
from runner.watch.redis_client import get_redis


def test_a_pool_that_another_thread_replaced_stays_open_for_who_uses_it(redis_url: str) -> None:
    pipeline = get_redis(1.0).pipeline()
    in_use = pipeline.connection_pool.get_connection()
    module._make_pool.cache_clear()  # as when two threads ask first: the second pool takes the first one's place
    get_redis(1.0)
    gc.collect()

    assert in_use.is_connected


def test_clients_of_the_same_patience_share_their_connections(redis_url: str) -> None:
    assert get_redis(1.0).connection_pool is get_redis(1.0).connection_pool
    assert get_redis(2.0).connection_pool is not get_redis(1.0).connection_pool
