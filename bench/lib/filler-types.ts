import type { AuthoredField, AuthoredSchema } from '../../core/schema/authored.ts'

/** Types that make a schema large: ten scalars, a relation to the one before, a list query, one by id and a mutation each. */
export function fillerSchema(count: number): Pick<AuthoredSchema, 'types' | 'queries' | 'mutations'> {
  const numbers = Array.from({ length: count }, (_, i) => i + 1)
  return {
    types: numbers.map((n) => ({ name: `Filler${n}`, sql_source: `vf_filler_${n}`, fields: fieldsOf(n) })),
    queries: numbers.flatMap((n) => [
      { name: `fillers${n}`, type: `[Filler${n}!]!`, sql_source: `vf_filler_${n}` },
      {
        name: `filler${n}`,
        type: `Filler${n}`,
        sql_source: `vf_filler_${n}`,
        arguments: [{ name: 'id', type: 'ID!' }],
      },
    ]),
    mutations: numbers.map((n) => ({
      name: `touch_filler${n}`,
      type: `Filler${n}`,
      sql_source: 'fn_touch_filler',
      operation: 'UPDATE',
      arguments: [{ name: 'id', type: 'ID!' }],
    })),
  }
}

function fieldsOf(n: number): AuthoredField[] {
  const fields: AuthoredField[] = [
    { name: 'id', type: 'ID!' },
    { name: 'title', type: 'String!' },
    { name: 'slug', type: 'String!' },
    { name: 'content', type: 'String!' },
    { name: 'status', type: 'String!' },
    { name: 'viewCount', type: 'Int!' },
    { name: 'rating', type: 'Float' },
    { name: 'createdAt', type: 'DateTime!' },
    { name: 'updatedAt', type: 'DateTime!' },
    { name: 'author', type: 'User!', relation: { from: 'fk_user', to: 'pk_user' } },
  ]
  if (n > 1) fields.push({ name: 'previous', type: `Filler${n - 1}`, relation: { from: 'fk_user', to: 'fk_user' } })
  return fields
}

/** The views that they read, all over the kit's posts, and the function that their mutations call. */
export function fillerViews(count: number): string {
  const touch = 'CREATE FUNCTION bench.fn_touch_filler(id uuid) RETURNS uuid LANGUAGE sql AS $$ SELECT id $$;\n'
  const views = Array.from({ length: count }, (_, i) => {
    const columns =
      'id, fk_user, title, slug, content, status, view_count, rating, created_at, updated_at FROM bench.tb_post'
    return `CREATE VIEW bench.vf_filler_${i + 1} AS SELECT pk_post AS pk_filler_${i + 1}, ${columns};`
  })
  return touch + views.join('\n')
}
