import { existsSync, readdirSync } from 'node:fs'
import type { MatrixPart } from './cells.ts'
import { ENTRANCES } from './entrances.ts'
import { HARMLESS, RULES } from './rules.ts'

const PLUGINS = new URL('../../plugins/', import.meta.url)

/** The rows and columns of all plugins: a plugin's test folder with a file `matrix.ts` adds its own. */
export async function matrixParts(): Promise<Required<MatrixPart>> {
  const files = readdirSync(PLUGINS)
    .map((name) => new URL(`${name}/matrix.ts`, PLUGINS))
    .filter((file) => existsSync(file))
  const parts = await Promise.all(
    files.map(async (file) => ((await import(file.href)) as { readonly matrix: MatrixPart }).matrix),
  )
  return {
    rules: [...RULES, ...parts.flatMap(({ rules }) => rules ?? [])],
    entrances: [...ENTRANCES, ...parts.flatMap(({ entrances }) => entrances ?? [])],
    harmless: Object.assign({}, HARMLESS, ...parts.map(({ harmless }) => harmless)),
  }
}
