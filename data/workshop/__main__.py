"""`python -m data.workshop`: build the corpus."""

from data.workshop.build import main

main()
