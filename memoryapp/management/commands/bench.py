from __future__ import annotations

from memoryapp.management.checkout import command_of_checkout

Command = command_of_checkout("benchmarks.bench_command")
