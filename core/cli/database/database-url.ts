import { existsSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { PRESETS } from '../../../presets/index.ts'
import { SvcError } from '../../base/errors/svc-error.ts'
import { didYouMean } from '../../base/util/nearest.ts'
import { isSecretKey } from '../../base/util/redact-text.ts'
import { entriesOf } from '../../config/plugin-catalog.ts'
import { WITHOUT_DRIVER } from '../../service/open-database.ts'

/** A database URL from the command line, and the name of the plugin that can open it. */
export interface DatabaseUrl {
  readonly url: string
  /** Name of the plugin that has a driver for the URL: `postgres`, `sqlite`. */
  readonly plugin: string
  /** Entry of `plugins.use` for a plugin that is not part of svc. Absent: the plugin is one of svc's. */
  readonly use?: { readonly path: string } | { readonly package: string }
}

/** Reads the flag `--plugin`: a path starts with a dot or a slash, or exists; any other text is a package. */
export function readPluginFlag(text: string, cwd: string): NonNullable<DatabaseUrl['use']> {
  return /^[./\\]|^[a-z]:[\\/]/i.test(text) || existsSync(resolve(cwd, text)) ? { path: text } : { package: text }
}

/** Without `user:password@`, which the printer of errors removes from every URL. */
const SERVER_URL = 'postgres://host:5432/database, with `user:password@` before the host'
/** Values of `sslmode`, by plugin. */
const TLS_MODES: Readonly<Record<string, readonly string[]>> = {
  postgres: ['disable', 'allow', 'prefer', 'require', 'no-verify', 'verify-ca', 'verify-full'],
  mysql: ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'],
}

/**
 * Checks a database URL from the command line, and finds the plugin for its scheme. The plain path of an SQLite file is
 * accepted, too.
 * @param cwd folder that paths are relative to
 * @param use plugin of the flag `--plugin`, which has a driver for the URL
 * @throws SvcError SVC_USAGE: the scheme, the port or the TLS mode is wrong
 */
export function readDatabaseUrl(text: string, cwd: string, use?: DatabaseUrl['use']): DatabaseUrl {
  if (use !== undefined && /^[a-z][a-z0-9+.-]+:/i.test(text)) return { url: text, plugin: '', use }
  const url = isSqliteFile(text, cwd) ? urlOfFile(text) : text
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase()
  if (scheme === undefined) throw wrong(withoutScheme(url, cwd))
  const plugins = driverPlugins()
  const plugin = plugins.get(scheme)
  if (plugin === undefined) {
    const schemes = [...plugins.keys()]
    const name = WITHOUT_DRIVER.get(scheme)
    const lack = name === undefined ? `The scheme "${scheme}" of the URL is unknown.` : `svc has no driver for ${name}.`
    throw wrong(
      `${lack}${didYouMean(scheme, schemes)} Schemes: ${schemes.map((one) => `${one}:`).join(', ')}. For a driver of another project: svc serve ${scheme}:… --plugin FILE`,
    )
  }
  const modes = TLS_MODES[plugin]
  if (modes !== undefined) checkServerUrl(url, scheme, modes)
  return { url, plugin }
}

/** Returns the names of the plugins with a driver, by scheme. */
function driverPlugins(): ReadonlyMap<string, string> {
  const entries = entriesOf(PRESETS.at(-1)!)
  return new Map(
    entries.flatMap(({ manifest }) =>
      (manifest.databaseSchemes ?? []).map((scheme) => [scheme, manifest.name] as const),
    ),
  )
}

function isSqliteFile(text: string, cwd: string): boolean {
  if (/^[a-z][a-z0-9+.-]+:/i.test(text) && !/^[a-z]:[\\/]/i.test(text)) return false
  const path = resolve(cwd, text)
  return existsSync(path) && statSync(path).isFile()
}

/** The driver decodes percents, and takes `memory` for a database in memory. */
function urlOfFile(path: string): string {
  return `sqlite:${/^:?memory:?$/.test(path) ? './' : ''}${path.replaceAll('%', '%25')}`
}

function withoutScheme(text: string, cwd: string): string {
  if (/\b(host|dbname|user)=/.test(text)) return `The database is given as key=value. Write a URL: ${SERVER_URL}`
  if (/[\\/]|\.(db|sqlite3?|db3)$/i.test(text))
    return `There is no file ${text} in ${cwd}. Correct the path of the SQLite file.`
  return `"${text}" has no scheme. Write sqlite:FILE, pglite:FOLDER, or ${SERVER_URL}`
}

function checkServerUrl(url: string, scheme: string, modes: readonly string[]): void {
  const [, authority = '', rest = ''] = /^[a-z]+:\/\/([^/?#]*)(.*)$/is.exec(url) ?? []
  // The parts of such a URL may be those of the password, so the message does not have them.
  if (/[@]/.test(rest.replace(/[?#].*$/s, '')) || (/^[^@]*:[^@]*$/.test(authority) && rest.includes('@'))) {
    throw wrong(
      'The URL has an @ behind the part that would be host and port. Percent-encode the special characters of the password and of the name of the database (@ is %40, / is %2F, : is %3A, # is %23, ? is %3F).',
    )
  }
  const port = /^(?:\[[^\]]*\]|[^:[\]]*):(.*)$/s.exec(authority.slice(authority.lastIndexOf('@') + 1))?.[1] ?? ''
  if (port !== '' && !(/^\d+$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535)) {
    throw wrong(
      `The port of the URL is "${port}", and a port is a number from 1 to 65535. If it belongs to the password, percent-encode the special characters of the password (@ is %40, / is %2F, : is %3A).`,
    )
  }
  if (!URL.canParse(url)) {
    throw wrong(
      `The text is no URL. Write ${SERVER_URL.replace('postgres', scheme)}, with special characters of the password percent-encoded (@ is %40, / is %2F, : is %3A).`,
    )
  }
  const mode = new URL(url).searchParams.get('sslmode')
  if (mode !== null && !modes.includes(mode)) {
    throw wrong(`The TLS mode of the URL is sslmode=${mode}.${didYouMean(mode, modes)} Modes: ${modes.join(', ')}`)
  }
}

function wrong(message: string): SvcError {
  return new SvcError('SVC_USAGE', message)
}

/** Tests whether a URL contains a password or another secret, so that svc does not print it or write it to a file. */
export function hasSecret(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { password, searchParams } = new URL(url)
  return password !== '' || [...searchParams.keys()].some(isSecretKey)
}

/**
 * Returns the database name in a URL, for use as the name of a project: `shop` for `postgres://host/shop` and
 * `sqlite:./shop.db`. Without a name: `database`.
 */
export function databaseNameOf(url: string): string {
  const path = url.replace(/[?#].*$/, '').replace(/^[a-z][a-z0-9+.-]*:(\/\/[^/]*(?=\/|$))?/i, '')
  const last =
    path
      .split(/[\\/]/)
      .filter((part) => part !== '' && part !== '.' && part !== '..')
      .at(-1) ?? ''
  return last.replace(/\.(db|db3|sqlite3?)$/i, '') || 'database'
}

/**
 * Rewrites the relative path in a `sqlite:` or `pglite:` URL, so that it names the same file from another folder. Other
 * URLs are returned unchanged.
 * @param cwd folder that the path is relative to
 * @param folder folder that the new path is relative to
 */
export function urlFrom(url: string, cwd: string, folder: string): string {
  const [, scheme = '', path = ''] = /^(sqlite|pglite):(?!\/\/)(.*)$/is.exec(url) ?? []
  if (scheme === '' || path === '' || isAbsolute(path) || /^:?memory/.test(path)) return url
  return `${scheme}:${relative(folder, resolve(cwd, path)).split(sep).join('/')}`
}
