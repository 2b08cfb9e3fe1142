/** Fields of the moment, such as of which trace a line is; `null` = none. Must not throw. */
export type ReadLogFields = () => Readonly<Record<string, unknown>> | null
