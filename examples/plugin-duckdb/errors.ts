/** SQLSTATEs by the beginning of DuckDB's message, which is all that it says about the kind of an error. */
const STATES: Readonly<Record<string, string>> = {
  'Binder Error': '42703',
  'Catalog Error': '42P01',
  'Constraint Error': '23000',
  'Conversion Error': '22P02',
  'IO Error': '58030',
  'INTERRUPT Error': '57014',
  'Out of Memory Error': '53200',
  'Out of Range Error': '22003',
  'Parser Error': '42601',
}
const REGEX =
  /perl operator|repetition|escape sequence|character class|missing [)\]]|unexpected \)|trailing \\|capture group/
const ESCAPE = /escape character|Escape/

/** An error of DuckDB with an SQLSTATE in `code`, by which svc makes its own errors. */
export class DuckdbError extends Error {
  readonly code: string

  constructor(cause: unknown) {
    const message = cause instanceof Error ? cause.message : String(cause)
    super(message, { cause })
    this.name = 'DuckdbError'
    this.code = stateOf(message)
  }
}

function stateOf(message: string): string {
  const [, kind = ''] = /^(?:Failed to extract statements: )?([\w ]+? Error):/.exec(message) ?? []
  if (kind === 'Catalog Error' && /Function/.test(message)) return '42883'
  if (/read-only mode/.test(message)) return '25006'
  if (kind === 'Invalid Input Error' && REGEX.test(message)) return '2201B'
  if (ESCAPE.test(message)) return '22025'
  return STATES[kind] ?? 'XX000'
}
