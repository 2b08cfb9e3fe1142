import t from 'tap'
import { compareSchemas } from '../../../../core/cli/introspect/compare-schemas.ts'
import type { DatabaseModel, ModelColumn, ModelRelation } from '../../../../core/contract/database-model.ts'
import { proposeSchema } from '../../../../core/introspect/propose-schema.ts'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'

const column = (name: string, type: string, notNull = true, more: Partial<ModelColumn> = {}): ModelColumn => ({
  name,
  type,
  sqlType: type,
  notNull,
  hasDefault: false,
  ...more,
})

const table = (name: string, columns: readonly ModelColumn[]): ModelRelation => ({
  schema: 'public',
  name,
  visible: true,
  kind: 'table',
  columns,
  primaryKey: [columns[0]!.name],
  uniqueKeys: [],
  foreignKeys: [],
  indexes: [],
  privileges: { select: true, insert: true, update: true, delete: true },
})

function modelOf(relations: readonly ModelRelation[], labels: readonly string[] = ['happy', 'sad']): DatabaseModel {
  const enums = [{ schema: 'public', name: 'mood', visible: true, labels }]
  return { relations, functions: [], enums, skipped: [] }
}

const ARTIST = [
  column('id', 'int4'),
  column('name', 'text'),
  column('bio', 'text', false),
  column('mood', 'enum:mood', true, { enum: 'public.mood' }),
]

const BEFORE = proposeSchema(modelOf([table('artist', ARTIST)])).schema

function differences(
  authored: AuthoredSchema,
  model: DatabaseModel,
  base: AuthoredSchema | null = BEFORE,
): readonly string[] {
  const proposed = proposeSchema(model).schema
  return compareSchemas({ authored, proposed, base, model }).map(
    ({ missing, kind, name }) => `${missing}: ${kind} ${name}`,
  )
}

function withoutField(name: string): AuthoredSchema {
  const types = BEFORE.types!.map((type) => ({ ...type, fields: type.fields.filter((field) => field.name !== name) }))
  return { ...BEFORE, types }
}

t.test('a database that has not changed agrees with its proposal', async (t) => {
  t.strictSame(differences(BEFORE, modelOf([table('artist', ARTIST)])), [])
})

t.test('new tables and columns are missing in the schema', async (t) => {
  const model = modelOf([table('artist', [...ARTIST, column('born', 'date')]), table('label', [column('id', 'int4')])])
  t.strictSame(differences(BEFORE, model), ['schema: field Artist.born', 'schema: type Label'])
})

t.test('tables and columns that are gone are missing in the database', async (t) => {
  t.strictSame(differences(BEFORE, modelOf([table('artist', ARTIST.slice(0, 2))])), [
    'database: field Artist.bio',
    'database: field Artist.mood',
  ])
  t.strictSame(differences(BEFORE, modelOf([])), ['database: type Artist'])
})

t.test('changed types and nullability are reported in both directions', async (t) => {
  const [id, name, bio, mood] = ARTIST as [ModelColumn, ModelColumn, ModelColumn, ModelColumn]
  const model = modelOf([table('artist', [id, { ...name, notNull: false }, { ...bio, notNull: true }, { ...mood }])])
  t.strictSame(differences(BEFORE, model), ['neither: field Artist.name', 'neither: field Artist.bio'])
  t.strictSame(differences(BEFORE, modelOf([table('artist', [id, { ...name, type: 'int4' }, bio, mood])])), [
    'neither: field Artist.name',
  ])
})

t.test('values of enums are compared', async (t) => {
  const model = modelOf([table('artist', ARTIST)], ['happy', 'angry'])
  t.strictSame(differences(BEFORE, model), ['database: enum value Mood.SAD', 'schema: enum value Mood.ANGRY'])
})

t.test('what a person removed or refined is no difference, if the proposal had it', async (t) => {
  const model = modelOf([table('artist', ARTIST)])
  t.strictSame(differences(withoutField('bio'), model), [])
  t.strictSame(differences(withoutField('bio'), model, null), ['schema: field Artist.bio'])
  t.strictSame(differences({ ...BEFORE, types: [] }, model), [])
  const refined = {
    ...BEFORE,
    types: BEFORE.types!.map((type) => ({
      ...type,
      fields: type.fields.map((field) => (field.name === 'name' ? { ...field, type: 'Email!' } : field)),
    })),
  }
  t.strictSame(differences(refined, model), [])
})
