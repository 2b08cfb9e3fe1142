import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SvcError } from '../../base/errors/svc-error.ts'
import type { Database } from '../../contract/database.ts'
import type { Project } from '../project/load-project.ts'

/** A `*.sql` file of the folder `database.init_dir`, which creates the tables, views and functions of the database. */
export interface InitScript {
  /** Path relative to the project, for messages: `db/01_tables.sql`. */
  readonly name: string
  readonly sql: string
}

/**
 * Reads the SQL scripts in `database.init_dir`, which create the project's embedded database, sorted by name.
 * @throws SvcError SVC_CONFIG_INVALID when the configured folder does not exist
 */
export async function readProjectScripts({ baseDir, config, sources }: Project): Promise<readonly InitScript[]> {
  const { init_dir: folder } = config.database
  const scripts = await readInitScripts(baseDir, folder)
  if (scripts !== null) return scripts
  const source = sources.get('database.init_dir')
  if (source === undefined || source.layer === 'default') return []
  const message = `${source.place}: database.init_dir names ${folder}, and there is no such folder in ${baseDir}.`
  throw new SvcError('SVC_CONFIG_INVALID', message)
}

/** Returns a hash of the names and texts of the scripts, to detect that one of them has changed. */
export function fingerprintOf(scripts: readonly InitScript[]): string {
  return createHash('sha256').update(JSON.stringify(scripts)).digest('hex')
}

/** @returns `null` when the folder does not exist */
async function readInitScripts(baseDir: string, folder: string): Promise<readonly InitScript[] | null> {
  let names: string[]
  try {
    names = await readdir(join(baseDir, folder))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const files = names.filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (name) => ({
      name: join(folder, name),
      sql: await readFile(join(baseDir, folder, name), 'utf8'),
    })),
  )
}

/**
 * Runs the SQL scripts of a project, in order, on a new embedded database.
 * @param progress receives a line for the user per step
 * @throws SvcError SVC_DATABASE_INIT_FAILED with file, line and the message of the database
 */
export async function applyInitScripts(
  database: Database,
  scripts: readonly InitScript[],
  progress: (line: string) => void,
): Promise<void> {
  for (const script of scripts) {
    progress(`  ${script.name}`)
    try {
      await database.script(script.sql)
    } catch (error) {
      const text = describeScriptError(script, error)
      const message = `A script of the new database failed; nothing was kept.\n${text}`
      throw new SvcError('SVC_DATABASE_INIT_FAILED', message, { cause: error })
    }
  }
}

/**
 * Formats a database error with its location in a script: `db/01.sql:3:1: relation "tb_a" already exists`, followed by
 * the details and hint of the database.
 * @param from offset in characters of the failed statement in the script; `null`: the script ran as one statement
 * @param added number of characters that svc added before the statement
 */
export function describeScriptError(
  { name, sql }: InitScript,
  error: unknown,
  from: number | null = null,
  added = 0,
): string {
  const { message, detail, hint, position } = databaseFacts(error)
  const start = from ?? 0
  const at = position === undefined ? from : start + offsetOf(sql.slice(start), Math.max(1, position - added))
  const place = at === null ? name : `${name}:${placeOf(sql, at)}`
  const more = [detail, hint === undefined ? undefined : `Hint: ${hint}`].filter((line) => line !== undefined)
  return [`${place}: ${message}`, ...more.map((line) => `  ${line}`)].join('\n')
}

interface DatabaseFacts {
  readonly message: string
  readonly detail: string | undefined
  readonly hint: string | undefined
  /** Position in the script in characters, from 1. */
  readonly position: number | undefined
}

/** Returns the details of the server, also from an error that the driver wrapped. */
function databaseFacts(error: unknown): DatabaseFacts {
  const chain: unknown[] = []
  for (let at = error; at instanceof Error; at = at.cause) chain.push(at)
  const told = (chain.find((at) => 'position' in (at as object)) ?? chain.at(-1) ?? error) as Record<string, unknown>
  const text = (key: string) => (typeof told[key] === 'string' && told[key] !== '' ? (told[key] as string) : undefined)
  const position = Number(told.position)
  return {
    message: text('message') ?? String(error),
    detail: text('detail'),
    hint: text('hint'),
    position: Number.isInteger(position) && position > 0 ? position : undefined,
  }
}

/** Converts a position of the server (characters, from 1) to an offset in JavaScript (UTF-16 units, from 0). */
function offsetOf(sql: string, position: number): number {
  return [...sql].slice(0, position - 1).join('').length
}

/** Returns `line:column`, both from 1. */
function placeOf(sql: string, offset: number): string {
  const lines = sql.slice(0, offset).split('\n')
  return `${lines.length}:${[...(lines.at(-1) ?? '')].length + 1}`
}
