import { existsSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * Query parameter that svc adds to the URLs of imported project modules. A new number makes Node load each module from
 * disk again, for `--watch` and reload.
 */
export const RUN_PARAMETER = 'svc-run'

/** The part of Node's result of resolving a module that svc reads and sets. */
export interface Resolved {
  readonly url: string
  readonly format?: string | null | undefined
  readonly shortCircuit?: boolean | undefined
}
interface Context {
  readonly parentURL?: string | undefined
}

/**
 * Module resolution hook in Node's hook thread (`module.register`), for modules of the user's project and their
 * imports. It maps `svc/…` to the running installation, and loads a fresh copy of each module per run. Other modules
 * are resolved as usual.
 */
export async function resolve(
  specifier: string,
  context: Context,
  next: (specifier: string, context: Context) => Promise<Resolved>,
): Promise<Resolved> {
  const run = runOf(specifier) ?? runOf(context.parentURL)
  if (run === null) return next(specifier, context)
  const direct = resolveDirectly(specifier, context, run)
  if (direct !== null) return direct
  const own = ENTRIES[specifier]
  if (own === undefined) return markRun(await next(specifier, context), specifier, run)
  const installed = await next(specifier, context).catch(() => null)
  return isForeign(installed) ? installed : next(own, context)
}

/**
 * The same module resolution hook as {@link resolve}, for the main thread (`module.registerHooks`, Node 22.15 and
 * later).
 */
export function resolveSync(
  specifier: string,
  context: Context,
  next: (specifier: string, context: Context) => Resolved,
): Resolved {
  const run = runOf(specifier) ?? runOf(context.parentURL)
  if (run === null) return next(specifier, context)
  const direct = resolveDirectly(specifier, context, run)
  if (direct !== null) return direct
  const own = ENTRIES[specifier]
  if (own === undefined) return markRun(next(specifier, context), specifier, run)
  const installed = tryResolve(() => next(specifier, context))
  return isForeign(installed) ? installed : next(own, context)
}

const CORE = new URL('../..', import.meta.url).href
const ROOT = new URL('../../..', import.meta.url).href
const SELF_EXTENSION = extname(import.meta.filename)

/** The public entries of svc as this process runs them, from source or built. */
const ENTRIES: Readonly<Record<string, string>> = {
  svc: `${CORE}doors/plugin${SELF_EXTENSION}`,
  'svc/front': `${CORE}doors/front${SELF_EXTENSION}`,
  'svc/driver': `${CORE}doors/driver${SELF_EXTENSION}`,
  'svc/command': `${CORE}doors/command${SELF_EXTENSION}`,
  'svc/authoring': `${CORE}authoring/index${SELF_EXTENSION}`,
  'svc/graphql': `${ROOT}plugins/graphql/index${SELF_EXTENSION}`,
  'svc/testing': `${CORE}testing/testing${SELF_EXTENSION}`,
  'svc/codegen': `${CORE}doors/codegen${SELF_EXTENSION}`,
}

/**
 * Tests whether a module belongs to the running svc. An author's module that imports it by its path gets the copy that runs: a copy of a
 * run of its own would have other classes, so that `instanceof SvcError` would be false for its errors.
 */
function isOwn(url: string): boolean {
  return [CORE, `${ROOT}plugins/`, `${ROOT}presets/`].some((folder) => url.startsWith(folder))
}

/** Tests whether a project's own installation of svc was found. It has precedence over the one whose CLI was called. */
function isForeign(resolved: Resolved | null): resolved is Resolved {
  return resolved !== null && (!resolved.url.startsWith(ROOT) || resolved.url.startsWith(`${ROOT}node_modules/`))
}

function tryResolve(body: () => Resolved): Resolved | null {
  try {
    return body()
  } catch {
    return null
  }
}

function runOf(url: string | undefined): string | null {
  return /[?&]svc-run=(\d+)/.exec(url ?? '')?.[1] ?? null
}

/**
 * Resolves a file of the author that is imported by its path. It is loaded as an ES module even when the nearest
 * package.json says otherwise or is missing: `svc init` writes none, and `npm init` writes `"type": "commonjs"`.
 */
function resolveDirectly(specifier: string, context: Context, run: string): Resolved | null {
  if (!/^(?:\.\.?\/|file:)/.test(specifier)) return null
  const named = fileURLToPath(new URL(specifier, context.parentURL))
  // In TypeScript, `./post.js` can refer to `./post.ts`.
  const path = existsSync(named) ? named : named.replace(/js$/, 'ts')
  if (!existsSync(path) || !isModuleFile(path)) return null
  const { href } = pathToFileURL(path)
  return { url: isOwn(href) ? href : `${href}?${RUN_PARAMETER}=${run}`, format: 'module', shortCircuit: true }
}

function isModuleFile(path: string): boolean {
  if (/\.(?:m?ts|mjs)$/.test(path)) return true
  return path.endsWith('.js') && (typeAbove(path) ?? (looksLikeModule(path) ? 'module' : 'commonjs')) === 'module'
}

/** Returns `type` of the nearest package.json. */
function typeAbove(path: string): string | null {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json')
    if (existsSync(manifest)) return /"type"\s*:\s*"(\w+)"/.exec(readFileSync(manifest, 'utf8'))?.[1] ?? null
    if (folder === dirname(folder)) return null
  }
}

function looksLikeModule(path: string): boolean {
  return /^\s*(?:import|export)\b/m.test(readFileSync(path, 'utf8'))
}

/** Adds the run number to a resolved module. Relative specifiers without an extension, which only another hook can resolve, get it too. */
function markRun(resolved: Resolved, specifier: string, run: string): Resolved {
  if (!/^\.\.?\//.test(specifier)) return resolved
  const url = resolved.url.replace(/\?.*$/, '')
  return isModuleFile(fileURLToPath(url)) && !isOwn(url)
    ? { ...resolved, url: `${url}?${RUN_PARAMETER}=${run}`, format: 'module' }
    : resolved
}
