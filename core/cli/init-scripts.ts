import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SvcError } from '../errors/svc-error.ts'
import type { Database } from '../front/database.ts'

/** One `*.sql` file of `database.init_dir`. */
export interface InitScript {
  /** As shown: `db/01_tables.sql`. */
  readonly name: string
  readonly sql: string
}

/**
 * Reads the scripts that lay out a new embedded database, in the order of their names.
 * @returns `null` when there is no such folder
 */
export async function readInitScripts(baseDir: string, folder: string): Promise<readonly InitScript[] | null> {
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
 * Applies the scripts in order.
 * @throws SvcError SVC_DATABASE_INIT_FAILED with file, line and what the database said
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
      throw scriptFailed(script, error)
    }
  }
}

function scriptFailed({ name, sql }: InitScript, error: unknown): SvcError {
  const { message, detail, hint, position } = databaseFacts(error)
  const place = position === undefined ? name : `${name}:${placeOf(sql, position)}`
  const more = [detail, hint === undefined ? undefined : `Hint: ${hint}`].filter((line) => line !== undefined)
  const text = [`${place}: ${message}`, ...more.map((line) => `  ${line}`)].join('\n')
  return new SvcError('SVC_DATABASE_INIT_FAILED', `A script of the new database failed; nothing was kept.\n${text}`, {
    cause: error,
  })
}

interface DatabaseFacts {
  readonly message: string
  readonly detail: string | undefined
  readonly hint: string | undefined
  /** 1-based, in characters of the script. */
  readonly position: number | undefined
}

/** What the server said, also when the driver wrapped it. */
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

/** `line:column`, both 1-based. The server counts characters, JavaScript UTF-16 units. */
function placeOf(sql: string, position: number): string {
  const before = [...sql].slice(0, position - 1).join('')
  const lines = before.split('\n')
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`
}
