"""`python -m translator` is `attn-translate`."""

from translator.cli import main

if __name__ == "__main__":
    main()
