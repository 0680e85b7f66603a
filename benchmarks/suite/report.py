"""Writes what people read: see __main__.py."""


def write(results, folder):
    pass
