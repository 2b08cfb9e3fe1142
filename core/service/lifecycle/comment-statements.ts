import type { Database, Session, StreamOptions, TransactionOptions } from '../../contract/database.ts'
import type { Signals } from '../../contract/signals.ts'
import type { Parameter, Statement } from '../../contract/statement.ts'
import type { OwnedComment } from '../../contract/statement-comment.ts'
import { overlayDatabase } from './overlay-database.ts'

/** Texts that cannot end or nest a comment and have the same bytes in every encoding. */
const SAFE = /^(?:[\w=',.%:-]| (?!$))+$/

/**
 * Wraps a database so that comments of plugins, such as a trace id, are appended to the SQL of statements. Views and
 * logs of the database show them. A statement with a comment is not prepared, because its text is unique and would
 * evict others.
 * @param signals receives a warning if a plugin's comment is invalid
 * @returns the database itself if no plugin has comments, or if the database does not show comments
 */
export function commentStatements(database: Database, comments: readonly OwnedComment[], signals: Signals): Database {
  // A database that shows no comments would only lose its prepared statements.
  if (comments.length === 0 || database.takesComments !== true) return database
  const told = new Set<string>()

  function read({ plugin, read }: OwnedComment): string[] {
    let text: string | null = null
    let why = 'it is no text that a comment may have'
    try {
      text = read()
      if (text === null || SAFE.test(text)) return text === null ? [] : [text]
    } catch (error) {
      why = error instanceof Error ? error.message : String(error)
    }
    if (!told.has(plugin)) {
      told.add(plugin)
      signals.emit({ type: 'warning', plugin, message: `Its comment on a statement is left out: ${why}` })
    }
    return []
  }

  function commented(statement: Statement): Statement {
    const texts = comments.flatMap(read)
    if (texts.length === 0) return statement
    return { ...statement, name: null, text: `${statement.text} /*${texts.join(',')}*/` }
  }

  const session = (inner: Session): Session => ({
    query: (statement, parameters) => inner.query(commented(statement), parameters),
  })
  const { readRow } = database
  return overlayDatabase(database, {
    query: (statement: Statement, ...rest: Rest<Database['query']>) => database.query(commented(statement), ...rest),
    transaction: <T>(work: (session: Session) => Promise<T>, options: TransactionOptions) =>
      database.transaction((inner) => work(session(inner)), options),
    stream: (statement: Statement, parameters: readonly Parameter[], options: StreamOptions) =>
      database.stream(commented(statement), parameters, options),
    ...(readRow !== undefined && {
      readRow: (statement: Statement, ...rest: Rest<typeof readRow>) =>
        readRow.call(database, commented(statement), ...rest),
    }),
  })
}

type Rest<F extends (first: Statement, ...rest: never[]) => unknown> = F extends (
  first: Statement,
  ...rest: infer R
) => unknown
  ? R
  : never
