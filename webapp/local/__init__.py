"""Installs and runs everything Streamwright needs on one machine, without Docker."""
