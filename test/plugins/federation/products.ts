import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import compilePart from '../../../plugins/federation/compile.ts'
import federation from '../../../plugins/federation/index.ts'
import type { FederationOptions } from '../../../plugins/federation/options.ts'
import scopes from '../../../plugins/scopes/index.ts'
import type { TestDatabase } from '../../helpers/databases.ts'
import { entry } from '../../helpers/kernel.ts'
import { type OpenAppOptions, openApp, type TestApp } from '../../helpers/open-app.ts'
import type { TestLike } from '../../helpers/services.ts'
import { testCredential } from '../../helpers/test-credential.ts'

const ROWS = `
INSERT INTO tb_user VALUES ('support@apollographql.com', 'Jane Smith', 1337), ('nobody@example.com', 'Nobody', NULL);
INSERT INTO tb_product VALUES
  ('apollo-federation', 'federation', '@apollo/federation', '{"id":"OSS"}', '{"size":"small","weight":1,"unit":"kg"}',
   '[{"study":{"case_number":"1234","description":"Federation Study"},"outcome":null}]', 'support@apollographql.com', 'n'),
  ('apollo-studio', 'studio', '', '{"id":"platform"}', '{"size":"small","weight":1,"unit":"kg"}',
   '[{"study":{"case_number":"1235","description":"Studio Study"},"outcome":null}]', 'support@apollographql.com', NULL);
INSERT INTO tb_deprecated VALUES ('apollo-federation-v1', '@apollo/federation-v1', 'Migrate to Federation V2', 'support@apollographql.com');
INSERT INTO tb_research VALUES ('{"case_number":"1234","description":"Federation Study"}', 'good'),
  ('{"case_number":"1235","description":"Studio Study"}', NULL);
INSERT INTO tb_inventory VALUES ('apollo-oss',
  '[{"sku":"apollo-federation-v1","package":"@apollo/federation-v1","reason":"Migrate to Federation V2"}]');
`
const VIEWS = `
CREATE VIEW v_user AS SELECT * FROM tb_user;
CREATE VIEW v_product AS SELECT * FROM tb_product;
CREATE VIEW v_deprecated_product AS SELECT * FROM tb_deprecated;
CREATE VIEW v_product_research AS SELECT * FROM tb_research;
CREATE VIEW v_inventory AS SELECT * FROM tb_inventory;
`
const tables = (json: string): string => `
CREATE TABLE tb_user (email text PRIMARY KEY, name text, total_products_created int);
CREATE TABLE tb_product (id text PRIMARY KEY, sku text, package text, variation ${json}, dimensions ${json}, research ${json},
  created_by_email text, notes text);
CREATE TABLE tb_deprecated (sku text NOT NULL, package text NOT NULL, reason text, created_by_email text);
CREATE TABLE tb_research (study ${json} NOT NULL, outcome text);
CREATE TABLE tb_inventory (id text PRIMARY KEY, deprecated_products ${json});
`
export const PRODUCTS_SQL = `${tables('jsonb')}${VIEWS}${ROWS}`
export const PRODUCTS_SQLITE = `${tables('json')}${VIEWS}${ROWS}`

const by = { from: 'created_by_email', to: 'email' }

/** The subgraph that the compatibility tests of the specification ask for. */
export const PRODUCTS: AuthoredSchema = {
  version: '1',
  types: [
    {
      name: 'Product',
      keys: ['id', 'sku package', 'sku variation { id }'],
      directives: ['@custom'],
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'sku', type: 'String' },
        { name: 'package', type: 'String' },
        { name: 'variation', type: 'ProductVariation' },
        { name: 'dimensions', type: 'ProductDimension' },
        { name: 'created_by', type: 'User', relation: by, provides: 'total_products_created' },
        { name: 'notes', type: 'String', tags: ['internal'] },
        { name: 'research', type: '[ProductResearch!]!' },
      ],
    },
    {
      name: 'DeprecatedProduct',
      key_fields: ['sku', 'package'],
      fields: [
        { name: 'sku', type: 'String!' },
        { name: 'package', type: 'String!' },
        { name: 'reason', type: 'String' },
        { name: 'created_by', type: 'User', relation: by },
      ],
    },
    { name: 'ProductVariation', embedded: true, fields: [{ name: 'id', type: 'ID!' }] },
    {
      name: 'ProductResearch',
      key_fields: ['study { case_number }'],
      fields: [
        { name: 'study', type: 'CaseStudy!' },
        { name: 'outcome', type: 'String' },
      ],
    },
    {
      name: 'CaseStudy',
      embedded: true,
      fields: [
        { name: 'case_number', type: 'ID!' },
        { name: 'description', type: 'String' },
      ],
    },
    {
      name: 'ProductDimension',
      embedded: true,
      shareable: true,
      fields: [
        { name: 'size', type: 'String' },
        { name: 'weight', type: 'Float' },
        { name: 'unit', type: 'String', inaccessible: true },
      ],
    },
    {
      name: 'User',
      key_fields: ['email'],
      extends: true,
      fields: [
        {
          name: 'average_products_created_per_year',
          type: 'Int',
          requires: 'total_products_created years_of_employment',
          sql: '{total_products_created} / nullif({years_of_employment}, 0)',
        },
        { name: 'email', type: 'ID!', external: true },
        { name: 'name', type: 'String', override: 'users' },
        { name: 'total_products_created', type: 'Int', external: true },
        { name: 'years_of_employment', type: 'Int!', external: true },
      ],
    },
    {
      name: 'Inventory',
      key_fields: ['id'],
      interface_object: true,
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'deprecated_products', type: '[DeprecatedProduct!]!' },
      ],
    },
  ],
  queries: [
    { name: 'product', type: 'Product', arguments: [{ name: 'id', type: 'ID!' }] },
    {
      name: 'deprecated_product',
      type: 'DeprecatedProduct',
      deprecated: 'Use product query instead',
      arguments: [
        { name: 'sku', type: 'String!' },
        { name: 'package', type: 'String!' },
      ],
    },
  ],
}

export const COMPOSED = {
  name: '@custom',
  url: 'https://myspecs.dev/myCustomDirective/v1.0',
  definition: 'directive @custom on OBJECT',
}

const OPTIONS: FederationOptions = {
  enabled: true,
  spec_version: 2,
  entities: [],
  compose_directives: [],
  max_representations: 1000,
  authorization_directives: true,
  inline_traces: false,
}

/** The real service as a subgraph. */
export function openSubgraph(
  t: TestLike,
  database: TestDatabase,
  schema: AuthoredSchema,
  given: Partial<FederationOptions> = {},
  more: OpenAppOptions = {},
): Promise<TestApp> {
  const options = { ...OPTIONS, ...given }
  const parts = [{ plugin: 'federation', part: compilePart as never, options }, ...(more.compile?.parts ?? [])]
  const plugins = [
    entry(federation as never, options),
    entry(scopes as never),
    testCredential(),
    ...(more.plugins ?? []),
  ]
  return openApp(t, database, schema, { ...more, plugins, compile: { ...more.compile, parts } })
}

/** What `_entities` gives, as the fragment on each type asks for it. */
export async function entities(
  app: TestApp,
  representations: readonly unknown[],
  fragments: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const query = `query ($representations: [_Any!]!) { _entities(representations: $representations) { __typename ${fragments} } }`
  const { data, errors } = await app.graphql(query, { representations }, headers)
  return { rows: data?._entities, errors }
}
