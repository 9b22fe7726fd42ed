"""What each kind of job does, a module a subject: takes the job's row, calls one room, returns the report."""
