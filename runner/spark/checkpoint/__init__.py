"""What Spark keeps of a run on disk, on HDFS or on S3, and its files. Begin with `checkpoint.py`.

`hadoop.py` reads a Hadoop file system as a path, `whole.py` says whether a file is as it was written, and `owner.py`
whose a folder is. The room knows no session and no plan.
"""
