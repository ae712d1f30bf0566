//! A class without a server: codes of guesses and of finished tasks, shown, collected and counted.
