import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { SvcError } from '../../base/errors/svc-error.ts'
import { loadSchema } from '../../compiler/load.ts'
import { printSchemaJson } from '../../compiler/write-schema-json.ts'
import type { AuthoringLanguage } from '../../introspect/print-schema.ts'
import type { CommandIo } from '../command/command.ts'
import { LANGUAGES } from '../introspect/authoring-languages.ts'
import { GITIGNORE, printConfig, printPackageJson, TSCONFIG } from './config-files.ts'
import { PYPROJECT, PYTHON_GITIGNORE } from './python-files.ts'
import { printReadme } from './readme.ts'
import type { InitDatabase } from './templates/template.ts'
import { findTemplate } from './templates/templates.ts'

/** Choices for a new project. */
export interface ProjectChoices {
  readonly database: InitDatabase
  /** Name of the template. */
  readonly template: string
  readonly language: AuthoringLanguage
  /** Further files: text by path. */
  readonly more: Readonly<Record<string, string>>
}

/** A project that has been written. */
export interface WrittenProject {
  /** Paths relative to the folder, in the order in which a user should read them. */
  readonly files: readonly string[]
  /** Why schema.json is missing, because there is no Python that can run the schema; `null`: it was written. */
  readonly missing: string | null
}

/**
 * Writes the files of a new project from a template. Existing package.json and .gitignore files are extended, and
 * existing tsconfig.json and pyproject.toml files are kept; any other existing file is an error.
 * @param folder absolute path; created when missing
 * @throws SvcError SVC_INIT_REFUSED when the existing package.json cannot be read
 */
export async function writeProject(
  folder: string,
  { database, template, language, more }: ProjectChoices,
  io: CommandIo,
): Promise<WrittenProject> {
  const name = basename(folder)
  const chosen = findTemplate(template, database)
  const fresh = {
    'svc.toml': printConfig(name, database, chosen, language),
    [LANGUAGES[language].entry]: language === 'python' ? chosen.python : chosen.schema,
    ...chosen.database,
    'test/api.test.ts': chosen.test,
    ...more,
    'README.md': printReadme(name, database, chosen, language),
  }
  return writeFiles(folder, fresh, language, packagesOf(database), io)
}

/**
 * Writes the files of a project, and those that a folder may contain already.
 * @param fresh texts by path, svc.toml and the schema first
 * @param packages optional peers of svc that the database needs
 */
export async function writeFiles(
  folder: string,
  fresh: Readonly<Record<string, string>>,
  language: AuthoringLanguage,
  packages: readonly string[],
  io: CommandIo,
): Promise<WrittenProject> {
  const isPython = language === 'python'
  const there = (file: string) => readFile(join(folder, file), 'utf8').catch(() => null)
  const merged = {
    'package.json': mergePackageJson(folder, await there('package.json'), packages),
    'tsconfig.json': (await there('tsconfig.json')) ?? TSCONFIG,
    ...(isPython ? { 'pyproject.toml': (await there('pyproject.toml')) ?? PYPROJECT } : {}),
    '.gitignore': mergeGitignore(await there('.gitignore'), isPython ? `${GITIGNORE}${PYTHON_GITIGNORE}` : GITIGNORE),
  }
  // `wx` fails when another process has created the file meanwhile.
  for (const [file, text] of Object.entries(fresh)) await writeFileIn(folder, file, text, 'wx')
  for (const [file, text] of Object.entries(merged)) await writeFileIn(folder, file, text, 'w')
  const missing = await writeJson(folder, language, io)
  const json = missing === null ? ['schema.json'] : []
  const [config, schema, ...rest] = [...Object.keys(fresh), ...Object.keys(merged)]
  return { files: [config, schema, ...json, ...rest].filter((file) => file !== undefined), missing }
}

/** Writes schema.json. @returns why it cannot be written on this machine; `null`: it was written */
async function writeJson(folder: string, language: AuthoringLanguage, io: CommandIo): Promise<string | null> {
  const { SVC_PYTHON: interpreter } = io.env
  const print = (text: string): void => io.stderr(text)
  try {
    const python = { print, ...(interpreter === undefined ? {} : { interpreter }) }
    const { schema } = await loadSchema(join(folder, LANGUAGES[language].entry), { python })
    await writeFileIn(folder, 'schema.json', printSchemaJson(schema), 'wx')
    return null
  } catch (error) {
    if (error instanceof SvcError && error.code === 'SVC_PYTHON_MISSING') return error.message
    throw error
  }
}

/** Optional peers of svc that package.json needs, by the plugin of the database. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  pglite: ['@electric-sql/pglite'],
  sqlite: ['node-sqlite3-wasm'],
  mysql: ['mysql2'],
}

/** Returns the optional peers of svc that package.json needs for a database, named by its plugin. */
export function packagesOf(database: string): readonly string[] {
  return PACKAGES[database] ?? []
}

async function writeFileIn(folder: string, file: string, text: string, flag: 'w' | 'wx'): Promise<void> {
  const path = join(folder, file)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text, { flag })
}

function mergePackageJson(folder: string, existing: string | null, packages: readonly string[]): string {
  try {
    return printPackageJson(folder, basename(folder), existing, packages)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    const message = `${join(folder, 'package.json')} is no JSON: ${cause.message}. Mend or remove it first.`
    throw new SvcError('SVC_INIT_REFUSED', message)
  }
}

/** Appends missing lines, and keeps existing ones. */
function mergeGitignore(existing: string | null, wanted: string): string {
  if (existing === null) return wanted
  const there = existing.split(/\r?\n/)
  const missing = wanted.split('\n').filter((line) => line !== '' && !there.includes(line))
  return [existing.replace(/\n*$/, existing === '' ? '' : '\n'), ...missing.map((line) => `${line}\n`)].join('')
}
