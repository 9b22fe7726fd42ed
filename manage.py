#!/usr/bin/env python
"""The one command of Palimpsest as a checkout has it; installed it is called `palimpsest`, and does the same."""

from memoryapp.management.main import run

if __name__ == "__main__":
    run()
