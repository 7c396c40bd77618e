"""The files that Spark keeps of a run on disk, on HDFS or on S3. Begin with `checkpoint.py`.

`hadoop.py` reads a Hadoop file system as a path, `whole.py` says whether a file is intact, and `owner.py` which
product owns a folder. The room knows no session and no plan.
"""
