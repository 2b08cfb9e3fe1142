import module from 'node:module'
import { extname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { RUN_PARAMETER, resolveSync } from './module-hooks.ts'

/** The exports of a module, by name. */
export type ModuleExports = Readonly<Record<string, unknown>>

/** Imports an author's module by absolute path (.ts, .mts, .js, .mjs). The same path gives the same copy. */
export type ImportModule = (path: string) => Promise<ModuleExports>

/** Set by `bin/svc.js`, which registers tsx before anything else. */
const TSX_READY: unique symbol = Symbol.for('svc.tsx')
const marks = globalThis as { [TSX_READY]?: boolean }

type RegisterHooks = (hooks: { resolve: typeof resolveSync }) => void

let hooks: Promise<void> | null = null
let runs = 0

/**
 * A new run: every module of the author is read from disk again, also those that the first one imports, so that
 * `--watch` and reload see what was changed. TypeScript with standard decorators is translated on the way;
 * `svc/authoring` resolves to the running installation where the project has none.
 */
export function startModuleRun(): ImportModule {
  runs += 1
  const query = `?${RUN_PARAMETER}=${runs}`
  return async (path) => {
    hooks ??= registerHooks()
    await hooks
    return import(pathToFileURL(path).href + query)
  }
}

async function registerHooks(): Promise<void> {
  const isSource = extname(import.meta.filename) === '.ts'
  // Translating twice would shift the places in messages. Sources of svc only run where tsx is registered already.
  if (!isSource && marks[TSX_READY] !== true) {
    // Loading tsx takes a while, and a service without TypeScript of its own never needs it.
    const { register } = await import('tsx/esm/api')
    register({ tsconfig: false })
  }
  marks[TSX_READY] = true
  const inThread = (module as { readonly registerHooks?: RegisterHooks }).registerHooks
  if (inThread !== undefined) inThread({ resolve: resolveSync })
  else module.register(`./module-hooks${extname(import.meta.filename)}`, import.meta.url)
}
