.PHONY: run test install format clean

run:
	./run

test:
	./test

install:
	./run --install test

format:
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .
	.venv/bin/djangofmt --quiet templates
	.venv/bin/oxfmt static/css static/js

clean:
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis htmlcov .coverage dist build
