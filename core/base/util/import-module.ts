import module from 'node:module'
import { extname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { RUN_PARAMETER, resolveSync } from './module-hooks.ts'

/** The exported values of a module by name, as `import()` returns them. */
export type ModuleExports = Readonly<Record<string, unknown>>

/**
 * Imports a module of the user's project (.ts, .mts, .js, .mjs). Calls with the same path return the same module
 * object.
 * @param path absolute path
 */
export type ImportModule = (path: string) => Promise<ModuleExports>

type RegisterHooks = (hooks: { resolve: typeof resolveSync }) => void

/** Sources of svc only run where tsx is registered already (`bin/svc.js`, the tests). */
const isSource = extname(import.meta.filename) === '.ts'

let hooks: Promise<void> | null = null
/** Registers the hooks with tsx in front of them. `null` until TypeScript is imported for the first time. */
let translatingHooks: Promise<void> | null = null
let runs = 0

/**
 * Returns a function that imports modules of the user's project. After each call of `startModuleRun`, all modules are
 * read from disk again, also imported ones, so that `--watch` and reload see changes. TypeScript with standard
 * decorators is compiled while it is loaded. `svc/authoring` resolves to the running installation if the project has
 * none.
 */
export function startModuleRun(): ImportModule {
  runs += 1
  let query = `?${RUN_PARAMETER}=${runs}`
  return async (path) => {
    const url = pathToFileURL(path).href
    if (/ts$/.test(path)) await translate()
    else {
      hooks ??= registerHooks()
      await hooks
    }
    try {
      return await import(url + query)
    } catch (error) {
      if (translatingHooks !== null || isSource || !mayBeTypeScript(error)) throw error
      // JavaScript that imports TypeScript. Node caches a failed import by its URL, so the second attempt needs another run number.
      await translate()
      runs += 1
      query = `?${RUN_PARAMETER}=${runs}`
      return import(url + query)
    }
  }
}

/** Loads tsx. This takes time and 20 MB, so it is done only for projects with TypeScript of their own. */
function translate(): Promise<void> {
  translatingHooks ??= registerTranslator()
  return translatingHooks
}

async function registerTranslator(): Promise<void> {
  // A second translation would shift the positions in messages.
  if (!isSource) {
    const { register } = await import('tsx/esm/api')
    register({ tsconfig: false })
  }
  // Registers our hooks again, because Node calls the latest hooks first and ours have to run before those of tsx.
  hooks = registerHooks()
  await hooks
}

async function registerHooks(): Promise<void> {
  const inThread = (module as { readonly registerHooks?: RegisterHooks }).registerHooks
  if (inThread !== undefined) inThread({ resolve: resolveSync })
  else module.register(`./module-hooks${extname(import.meta.filename)}`, import.meta.url)
}

/**
 * Tests for errors of Node on TypeScript: it does not know `.ts`, only strips types, or looks for the JavaScript file that the importer
 * named.
 */
function mayBeTypeScript(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown }
  return error instanceof SyntaxError || /^ERR_UNKNOWN_FILE_EXTENSION$|TYPESCRIPT|TYPE_STRIPPING/.test(String(code))
}
