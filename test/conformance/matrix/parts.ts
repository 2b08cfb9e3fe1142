import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { MatrixPart } from './cells.ts'
import { ENTRANCES } from './entrances.ts'
import { HARMLESS, OFF, RULES } from './rules.ts'

const PLUGINS = new URL('../../plugins/', import.meta.url)

export interface MatrixParts extends Required<Omit<MatrixPart, 'off'>> {
  readonly off: Readonly<Record<string, string>>
}

/** The rows and columns of all plugins: a plugin's test folder with a file `matrix.ts` adds its own. */
export async function matrixParts(): Promise<MatrixParts> {
  const names = readdirSync(PLUGINS).filter((name) => existsSync(new URL(`${name}/matrix.ts`, PLUGINS)))
  const parts = await Promise.all(
    names.map(
      async (name) => ((await import(new URL(`${name}/matrix.ts`, PLUGINS).href)) as { matrix: MatrixPart }).matrix,
    ),
  )
  const off = names.flatMap((name, at) => (parts[at]?.off === undefined ? [] : [[name, parts[at].off]]))
  return {
    rules: [...RULES, ...parts.flatMap(({ rules }) => rules ?? [])],
    entrances: [...ENTRANCES, ...parts.flatMap(({ entrances }) => entrances ?? [])],
    harmless: Object.assign({}, HARMLESS, ...parts.map(({ harmless }) => harmless)),
    toml: parts.map(({ toml }) => toml ?? '').join('\n'),
    off: { ...OFF, ...Object.fromEntries(off) },
  }
}

/** Plugins that let in what is no HTTP request; what the service asks itself (`internal`) is nobody's way in. */
export function enteringPlugins(): readonly string[] {
  const root = new URL('../../../plugins/', import.meta.url)
  return readdirSync(root).filter((name) =>
    readdirSync(new URL(`${name}/`, root), { recursive: true, encoding: 'utf8' }).some((file) => {
      if (!file.endsWith('.ts')) return false
      const text = readFileSync(new URL(`${name}/${file}`, root), 'utf8')
      return /\bscope\s*\.enter\(/.test(text) && !/\.enter\(\s*\{\s*transport: 'internal'/.test(text)
    }),
  )
}
