/** Translates the project's TypeScript to JavaScript, cached in node_modules/.cache until a file changes. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const CACHE = join(ROOT, 'node_modules/.cache/svc-test-loader')
/** Other inputs of the output. */
const SEED = readFileSync(fileURLToPath(import.meta.url), 'utf8') + process.versions.node

/** @returns the JavaScript of a file, which exists once a run of the tests has begun */
export function translateSync(file) {
  const source = readFileSync(file, 'utf8')
  return readKept(file, source) ?? keep(file, source, esbuild().transformSync(source, optionsFor(file)).code)
}

/** Translates these files at once, before their processes start. */
export async function translateAll(files) {
  await Promise.all(
    files.map(async (file) => {
      const source = readFileSync(file, 'utf8')
      if (readKept(file, source) !== null) return
      // A file with a syntax error reports it where it is imported.
      const done = await esbuild()
        .transform(source, optionsFor(file))
        .catch(() => null)
      if (done !== null) keep(file, source, done.code)
    }),
  )
}

/** Loaded only when something has changed. */
function esbuild() {
  return createRequire(import.meta.url)('esbuild')
}

function optionsFor(file) {
  return {
    loader: 'ts',
    format: 'esm',
    target: 'node20',
    sourcefile: file,
    sourcemap: 'inline',
    // Coverage is counted in lines of the source.
    sourcesContent: true,
    logLevel: 'silent',
    tsconfigRaw: { compilerOptions: { target: 'es2023', verbatimModuleSyntax: true } },
  }
}

/** One entry for a file, so that the folder does not grow; `null` for a file that is not ours. */
function entryOf(file) {
  const name = relative(ROOT, file)
  return /^(?:\.\.|\.tap|node_modules)/.test(name) ? null : join(CACHE, `${name}.js`)
}

function readKept(file, source) {
  const entry = entryOf(file)
  if (entry === null) return null
  try {
    const kept = readFileSync(entry, 'utf8')
    // Appended to the code, so that its lines match the map.
    return kept.endsWith(markOf(source)) ? kept : null
  } catch {
    return null
  }
}

function keep(file, source, code) {
  const entry = entryOf(file)
  if (entry === null) return code
  mkdirSync(dirname(entry), { recursive: true })
  const draft = `${entry}.${process.pid}`
  writeFileSync(draft, code + markOf(source))
  renameSync(draft, entry)
  return code
}

function markOf(source) {
  return `\n// ${createHash('sha1').update(SEED).update(source).digest('hex')}\n`
}
