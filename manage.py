#!/usr/bin/env python
"""The command line: `./manage.py help` lists what there is."""

from webapp.__main__ import main

if __name__ == "__main__":
    main()
