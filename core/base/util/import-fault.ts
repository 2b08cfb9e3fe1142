import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { didYouMean } from './nearest.ts'

/** A failed import in a file of the user's project, for an error message. */
export interface ImportFault {
  readonly file: string
  /**
   * 1-based line of the import; `null` if it is not found in the text of the file, for example because the specifier is
   * computed.
   */
  readonly line: number | null
  readonly column: number | null
  /** Reason and suggestion, for the user: `there is no file "./pst.ts". Did you mean "./post.ts"?`. */
  readonly message: string
}

/**
 * Explains why a file of the project could not be imported: it finds the import in the text of the file, which Node's
 * error does not locate.
 * @param error error of `import()`
 * @param exportsOf returns the names that a package exports, for a suggestion. Default: no names
 * @returns `null` when a missing module or export is not the reason
 */
export function readImportFault(
  error: unknown,
  exportsOf: (specifier: string) => readonly string[] = () => [],
): ImportFault | null {
  if (!(error instanceof Error)) return null
  return missingModule(error) ?? missingExport(error, exportsOf)
}

/** Returns the location of a failed import as `file:line:column`, or the file alone when the line is unknown. */
export function printImportPlace({ file, line, column }: ImportFault): string {
  return line === null ? file : `${file}:${line}:${column}`
}

function missingModule(error: Error): ImportFault | null {
  const match = /^Cannot find (module|package) '([^']+)' imported from (.+)$/s.exec(withoutRun(error.message))
  if (match === null) return null
  const [, kind, target = '', importer = ''] = match
  const file = toPath(importer)
  if (kind === 'package') {
    const message = `the package "${target}" is not installed. Install it with: npm install ${target}`
    return { file, ...placeOf(file, target), message }
  }
  const path = toPath(target)
  const written = specifierOf(file, path)
  return { file, ...placeOf(file, written), message: `there is no file "${written}".${nearestFile(path, written)}` }
}

function missingExport(error: Error, exportsOf: (specifier: string) => readonly string[]): ImportFault | null {
  const match = /^The requested module '([^']+)' does not provide an export named '([^']+)'/.exec(
    withoutRun(error.message),
  )
  const file = toPath(withoutRun(/^(.+?):\d+$/m.exec(error.stack ?? '')?.[1] ?? ''))
  if (match === null || !existsSync(file)) return null
  const [, specifier = '', name = ''] = match
  const known = specifier.startsWith('.') ? exportsIn(resolve(dirname(file), specifier)) : exportsOf(specifier)
  const message = `"${specifier}" exports no "${name}".${didYouMean(name, known)}`
  return { file, ...placeOf(file, specifier, name), message }
}

function withoutRun(text: string): string {
  return text.replace(/[?&]svc-run=\d+/g, '')
}

function toPath(place: string): string {
  return place.startsWith('file:') ? fileURLToPath(place) : place
}

/** Returns the specifier that the importer most likely used for a file. */
function specifierOf(importer: string, path: string): string {
  const near = relative(dirname(importer), path).split(sep).join('/')
  return near.startsWith('.') ? near : `./${near}`
}

/** Line and column of the import in the file, or of `name` in that import. Both are `null` when it cannot be found. */
function placeOf(file: string, specifier: string, name?: string): Pick<ImportFault, 'line' | 'column'> {
  const none = { line: null, column: null }
  if (!existsSync(file)) return none
  const text = readFileSync(file, 'utf8')
  const quoted = escapePattern(specifier)
  // `import … from 'x'`, `export … from 'x'`, `import 'x'`, `import('x')`.
  const match = new RegExp(`(?:\\bimport|\\bexport)\\b([^;'"]*)['"]${quoted}['"]`).exec(text)
  if (match === null) return none
  const at = name === undefined ? match[0].lastIndexOf(specifier) - 1 : match[0].search(new RegExp(`\\b${name}\\b`))
  const lines = text.slice(0, match.index + Math.max(0, at)).split('\n')
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function nearestFile(path: string, written: string): string {
  const folder = dirname(path)
  if (!existsSync(folder)) return ''
  const wanted = basename(path)
  const files = readdirSync(folder).filter((name) => /\.[cm]?[jt]s$/.test(name))
  // A missing extension, as in `./post`, is the most frequent mistake.
  const whole = files.find((name) => name.replace(/\.[cm]?[jt]s$/, '') === wanted)
  const prefix = written.slice(0, written.length - wanted.length)
  return whole === undefined
    ? didYouMean(
        written,
        files.map((name) => prefix + name),
      )
    : ` Did you mean "${prefix}${whole}"?`
}

/** Returns the names in the `export` declarations of a file. This is precise enough for a suggestion. */
function exportsIn(path: string): readonly string[] {
  const file = [path, path.replace(/js$/, 'ts')].find((one) => existsSync(one))
  if (file === undefined) return []
  const text = readFileSync(file, 'utf8')
  const declared = text.matchAll(
    /\bexport\s+(?:abstract\s+)?(?:const|let|var|class|function\*?|async\s+function)\s+(\w+)/g,
  )
  return [...declared].map(([, name = '']) => name)
}
