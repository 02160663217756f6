ridge kernel "$(printf 'gem\033[31m\n')"
