import module from 'node:module'
import { extname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { resolveSync } from './module-hooks.ts'

type RegisterHooks = (hooks: { resolve: typeof resolveSync }) => void

let hooksReady = false
/** Run from its sources, svc runs under a TypeScript loader already. */
let typeScriptReady = extname(import.meta.filename) === '.ts'

/**
 * Imports a module that the operator or the schema's author wrote: a plugin, the functions of a schema. TypeScript with
 * the standard decorators is translated on the way; `svc/…` means the running installation where the folder has none
 * of its own. It shares this process's modules, so that an `SvcError` of the user is an `SvcError` here.
 * @param path absolute path
 * @param version another one reads the file again: modules are cached by their URL
 */
export async function importUserModule(path: string, version?: string): Promise<Readonly<Record<string, unknown>>> {
  registerModuleHooks()
  if (!typeScriptReady && /\.[cm]?tsx?$/.test(path)) {
    const { register } = await import('tsx/esm/api')
    // A tsconfig.json may ask for the old decorators; svc speaks the standard ones.
    register({ tsconfig: false })
    typeScriptReady = true
  }
  const { href } = pathToFileURL(path)
  return import(version === undefined ? href : `${href}?version=${encodeURIComponent(version)}`)
}

/** Makes `svc/…` resolve for user modules, once per process. */
export function registerModuleHooks(): void {
  if (hooksReady) return
  hooksReady = true
  const inThread = (module as { readonly registerHooks?: RegisterHooks }).registerHooks
  if (inThread !== undefined) inThread({ resolve: resolveSync })
  else module.register(`./module-hooks${extname(import.meta.filename)}`, import.meta.url)
}
