import t from 'tap'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { createEngine } from '../../../conformance/access/engine.ts'
import { at, faultsOf } from '../../../helpers/compile-faults.ts'
import { readCatalogFor } from '../../../helpers/compile-fixture.ts'
import { createPostgresDatabase } from '../../../helpers/databases.ts'
import { fakeCatalog } from '../../../helpers/fake-catalog.ts'
import { openTestDatabase } from '../../../helpers/open-database.ts'
import { requireService } from '../../../helpers/services.ts'

const SQL = `
CREATE EXTENSION ltree;
CREATE TABLE tb_category (id text PRIMARY KEY, name text, path ltree, owner text);
INSERT INTO tb_category VALUES ('c1', 'All', 'all', 'ann'), ('c2', 'Books', 'all.books', 'ann'), ('c3', 'Secret', 'all.books.secret', 'bob'), ('c4', 'Lost', NULL, 'ann');
CREATE VIEW v_category AS SELECT * FROM tb_category;
CREATE TABLE tb_product (id text PRIMARY KEY, category_path ltree, noted text);
INSERT INTO tb_product VALUES ('p1', 'all'), ('p2', 'all.books'), ('p3', 'all.books.secret.x'), ('p4', NULL);
CREATE VIEW v_product AS SELECT * FROM tb_product;
`
const ID = { name: 'id', type: 'ID!' }
const PATH = { name: 'path', type: 'LTree', hierarchy: 'categories' }
const CATEGORY = { name: 'Category', sql_source: 'v_category', fields: [ID, { name: 'name', type: 'String' }, PATH] }
const PRODUCT = {
  name: 'Product',
  sql_source: 'v_product',
  fields: [ID, { name: 'category_path', type: 'LTree', hierarchy: 'categories' }],
}
const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [CATEGORY, PRODUCT],
  hierarchies: [{ name: 'categories', type: 'Category' }],
  queries: [
    { name: 'categories', type: '[Category!]!' },
    { name: 'products', type: '[Product!]!', auto_params: { total_count: true } },
  ],
}

const below = (id: string, operator = '_descendant_of_id') =>
  `{ products(where: { categoryPath: { ${operator}: "${id}" } }, orderBy: [{ id: ASC }]) { items { id } } }`
const items = (...ids: string[]) => JSON.stringify({ products: { items: ids.map((id) => ({ id })) } })

// proves: field.hierarchy, error.hierarchy
t.test('paths by the id of a row, which is looked up under its rules', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: SQL })
  const database = await openTestDatabase(t, { kind: 'postgres', url })

  const open = await createEngine(database, SCHEMA, () => {})
  const told = async (document: string) => (await open.ask(document, 'ann')).text
  t.equal(await told(below('c2')), items('p2', 'p3'))
  t.equal(await told(below('c3')), items('p3'))
  t.equal(await told(below('c2', '_ancestor_of_id')), items('p1', 'p2'))
  t.equal(await told(below('c4')), items(), 'a row without a path has nothing below it')
  t.equal(await told(below('none')), items())
  t.equal(
    await told('{ categories(where: { path: { _ancestor_of_id: "c3" } }, orderBy: [{ id: ASC }]) { id } }'),
    '{"categories":[{"id":"c1"},{"id":"c2"},{"id":"c3"}]}',
    'a type may be its own',
  )
  t.equal(
    await told(
      '{ products(where: { _not: { categoryPath: { _descendant_of_id: "c2" } } }) { items { id } totalCount } }',
    ),
    '{"products":{"items":[{"id":"p1"}],"totalCount":1}}',
    'of no path nothing is known',
  )

  const own = { ...SCHEMA, types: [{ ...CATEGORY, inject: { owner: 'jwt:sub' } }, PRODUCT] }
  const ruled = await createEngine(database, own, () => {})
  t.equal((await ruled.ask(below('c2'), 'ann')).text, items('p2', 'p3'))
  t.equal((await ruled.ask(below('c3'), 'ann')).text, items(), 'a hidden row is as one that is not there')
  t.equal((await ruled.ask(below('c3'), 'bob')).text, items('p3'))
  const not = (id: string) => below(id).replace('where: {', 'where: { _not: {').replace(' }, orderBy', ' } }, orderBy')
  t.equal(
    (await ruled.ask(not('c3'), 'ann')).text,
    (await ruled.ask(not('none'), 'ann')).text,
    'the other way round, too',
  )
  t.strictSame((await ruled.ask(below('c3'), null)).codes, ['UNAUTHENTICATED'])

  const filtered = await createEngine(database, SCHEMA, (_ctx, _operation, access) =>
    access.where('Category', { name: { _neq: 'Secret' } }),
  )
  t.equal((await filtered.ask(below('c3'), 'ann')).text, items())
  t.equal((await filtered.ask(below('c2'), 'ann')).text, items('p2', 'p3'))
  for (const target of ['Category', 'Category.path', 'Category.id']) {
    const denied = await createEngine(database, SCHEMA, (_ctx, _operation, access) =>
      access.deny(target, new SvcError('FORBIDDEN', 'No.')),
    )
    t.strictSame((await denied.ask(below('c2'), 'ann')).codes, ['FORBIDDEN'], target)
  }
  const policy = await createEngine(database, SCHEMA, ({ auth }, _operation, access) =>
    access.where('Product', { categoryPath: { _descendant_of_id: auth?.subject === 'ann' ? 'c2' : 'c3' } }),
  )
  t.equal((await policy.ask('{ products { items { id } } }', 'ann')).text, items('p2', 'p3'), 'a policy says it, too')
  t.equal((await policy.ask('{ products { items { id } } }', 'bob')).text, items('p3'))

  const catalog = await readCatalogFor(SCHEMA, database)
  const faults = (product: object, hierarchies: unknown = SCHEMA.hierarchies) => {
    const fields = [ID, { ...product, ...at(5) }]
    const schema = { ...SCHEMA, types: [CATEGORY, { ...PRODUCT, fields }], hierarchies }
    return faultsOf(schema, { catalog, dialect: database.dialect })
  }
  const noted = (more: object) => faults({ name: 'category_path', type: 'LTree', ...more })
  t.strictSame(noted({ hierarchy: 'categories' }), [])
  t.match(noted({ hierarchy: 'catagories' }), [
    /^5:3 hierarchy: Product.category_path: there is no hierarchy "catagories". Did you mean "categories"\? Declare it in "hierarchies"/,
  ])
  t.match(faults({ name: 'noted', type: 'LTree', hierarchy: 'categories' }), [
    /Product.noted is not read from a column of the type ltree, .*CREATE EXTENSION ltree/,
  ])
  t.match(faults({ name: 'noted', type: 'String', hierarchy: 'categories' }), [
    /Product.noted is String, .* Declare LTree/,
  ])
  t.match(noted({ hierarchy: 'categories', filterable: false }), [/filterable is false/])
  t.match(noted({ filter_operators: ['_descendant_of_id'] }), [/LTree has no operator "_descendant_of_id"/])
})

t.test('a hierarchy is of rows with paths, and each of its names leads somewhere', async (t) => {
  const catalog = fakeCatalog({
    v_category: { id: 'text*', name: 'text', path: 'ltree', other: 'ltree', words: 'text' },
    v_product: { id: 'text*', category_path: 'ltree' },
  })
  const faults = (hierarchies: unknown, fields: readonly object[] = [PATH]) =>
    faultsOf({ ...SCHEMA, types: [{ ...CATEGORY, fields: [ID, ...fields] }, PRODUCT], hierarchies }, { catalog })
  const one = (more: object) => [{ name: 'categories', type: 'Category', ...at(7), ...more }]
  t.strictSame(faults(one({})), [])
  t.strictSame(faults({ categories: { type: 'Category' } }), [], 'as an object by name, too')
  t.match(faults(one({ type: 'Categorie' })), [
    /^7:3 hierarchy: Hierarchy "categories": there is no type "Categorie". Did you mean "Category"\?/,
  ])
  t.match(faults(one({ path: 'paths' })), [/Category has no field "paths". Did you mean "path"\?/])
  t.match(faults(one({ id: 'uuid' })), [/Category has no field "uuid".* Say in "id" which field clients name a row by/])
  t.match(faults(one({}), [PATH, { name: 'other', type: 'LTree' }]), [
    /several fields of LTree: path, other. Say which in "path"/,
  ])
  t.match(faults(one({}), [{ name: 'name', type: 'String' }]), [/Category has no field of LTree/])
  t.match(faults(one({ path: 'words' }), [{ name: 'words', type: 'LTree' }]), [
    /Category.words is not read from a column of the type ltree/,
  ])
  t.match(faults([...one({}), ...one({})]), [/there are two of this name/])
  t.match(faults(one({ field: 'path' })), [/unknown key "field".*name, type, path, id/])
  t.match(faults(undefined), [/no hierarchy "categories". There are none/, /no hierarchy "categories"/])
})
