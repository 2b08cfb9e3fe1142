import type { SchemaModel } from '../../core/index.ts'

/**
 * The views that a pattern means: those whose own name fits, and those of queries whose name, with a colon behind, does
 * (`posts:*`).
 * @param pattern `*` stands for any characters
 */
export function matchViews({ sources, queries }: SchemaModel, pattern: string): readonly string[] {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'))
  const fits = new RegExp(`^${parts.join('.*')}$`, 's')
  const names = new Map([...sources].map(([name, source]) => [source, name]))
  const ofQueries = [...queries.values()]
    .filter(({ name, wireName }) => fits.test(`${name}:`) || fits.test(`${wireName}:`))
    .flatMap(({ source }) => names.get(source) ?? [])
  return [...new Set([...[...sources.keys()].filter((name) => fits.test(name)), ...ofQueries])]
}
