/** Returns fields for the log line that is being written, such as the trace id; `null`: none. It must not throw. */
export type ReadLogFields = () => Readonly<Record<string, unknown>> | null
