"""The corpus workshop.

A synchronous grammar that makes English sentences, their Korean and the word alignment together.
"""
