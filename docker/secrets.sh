#!/bin/sh
# Makes the passwords of the store and the database once: as files for our containers, and as an environment file for
# SurrealDB, which reads no secret files. All stay in docker/secrets, a folder that its owner alone may enter.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
chmod 0700 secrets

new_password() {
  head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n'
}

if [ ! -s secrets/store_password ]; then
  password="$(new_password)"
  printf '%s\n' "$password" >secrets/store_password
  printf 'SURREAL_USER=palimpsest\nSURREAL_PASS=%s\n' "$password" >secrets/store.env
  echo "Made docker/secrets/store_password and docker/secrets/store.env."
fi
if [ ! -s secrets/database_password ]; then
  new_password >secrets/database_password
  echo "Made docker/secrets/database_password."
fi
# Secrets are mounted with the file's own permissions, and containers run as users of their own.
chmod 0444 secrets/store_password secrets/database_password
