import {
  Decimal,
  Email,
  enum_,
  error,
  field,
  ID,
  Int,
  input,
  interface_,
  list,
  mutation,
  nullable,
  query,
  scalar,
  String as Text,
  type,
  union,
} from '../../core/authoring/index.ts'

/** A shop whose schema sets the options that the other worlds leave alone. */
export const SHOP_SQL = `
CREATE TABLE tb_maker (pk_maker bigint PRIMARY KEY, id uuid NOT NULL UNIQUE, name text NOT NULL, mail text);
CREATE TABLE tb_item (pk_item bigint PRIMARY KEY, id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(), fk_producer bigint, title text NOT NULL,
  tags text[], sku text, state text, doc jsonb, plan jsonb, score numeric);
INSERT INTO tb_maker VALUES (1, '00000000-0000-0000-0000-00000000000a', 'Ann', 'ann@example.org'), (2, '00000000-0000-0000-0000-00000000000b', 'Bob', NULL);
INSERT INTO tb_item VALUES
  (1, '00000000-0000-0000-0000-000000000001', 1, 'axe', '{sharp,old}', 'ab-1', 'new', '{"size": 1, "shade": "red"}', '{"size": 10}', 7.5),
  (2, '00000000-0000-0000-0000-000000000002', 1, 'bow', NULL, 'cd-2', 'used', '{"size": 2, "shade": null}', '{"size": 20}', 9),
  (3, '00000000-0000-0000-0000-000000000003', NULL, 'cup', '{}', NULL, NULL, '{"size": 3}', '{"size": 30}', 99.9);
CREATE VIEW v_maker AS SELECT * FROM tb_maker;
CREATE VIEW v_item AS SELECT *, pk_item AS pk_thing FROM tb_item;
CREATE VIEW v_named AS
  SELECT 'Maker' AS kind, 'Maker' AS sort, 'Maker' AS told, id, name, mail, pk_maker, NULL AS title, NULL::text[] AS tags, NULL AS sku, NULL AS state, NULL::bigint AS fk_producer, NULL::numeric AS score FROM tb_maker
  UNION ALL SELECT 'Item', 'Item', 'Maker', id, title, NULL, NULL, title, tags, sku, state, fk_producer, score FROM tb_item;
CREATE VIEW v_searched AS SELECT i.*, to_tsvector('english', title || ' ' || CASE pk_item WHEN 1 THEN 'chops wood, and sharpens' WHEN 2 THEN 'bends wood' ELSE 'holds the water' END) AS words FROM v_item i;
CREATE VIEW v_sized AS SELECT id, doc, plan FROM tb_item;
CREATE FUNCTION fn_add_item(title text, rank int) RETURNS uuid LANGUAGE sql AS $$
  INSERT INTO tb_item (pk_item, title, doc) SELECT max(pk_item) + 1, fn_add_item.title, jsonb_build_object('rank', rank) FROM tb_item RETURNING id $$;
CREATE FUNCTION fn_nothing() RETURNS uuid LANGUAGE sql AS $$ SELECT NULL::uuid $$;
CREATE FUNCTION fn_rank(a_title text) RETURNS int LANGUAGE sql AS $$ SELECT (doc->>'rank')::int FROM tb_item WHERE title = a_title ORDER BY pk_item DESC LIMIT 1 $$;
CREATE FUNCTION fn_order(sku text) RETURNS jsonb LANGUAGE sql AS $$
  SELECT CASE WHEN sku = 'none' THEN jsonb_build_object('status', 'failed:out_of_stock', 'message', 'None left', 'entity', NULL,
      'metadata', jsonb_build_object('left_over', 0))
    ELSE jsonb_build_object('status', 'ok', 'entity_type', 'Maker', 'entity', jsonb_build_object('id', '1', 'name', sku)) END $$;
CREATE FUNCTION fn_best(scores numeric[]) RETURNS numeric LANGUAGE sql AS $$ SELECT max(one) FROM unnest(scores) one $$;
CREATE FUNCTION fn_echo(code text) RETURNS text LANGUAGE sql AS $$ SELECT code $$;
`

/** Everything as decorators. @returns what the module exports */
export function withDecorators(): Readonly<Record<string, object>> {
  @enum_({ description: 'How worn it is' })
  class State {
    static NEW = { value: 'new', description: 'Never used' }
    static USED = { value: 'used', deprecated: 'Ask the maker' }
  }

  @scalar({ description: 'A code in capitals', specifiedByUrl: 'https://example.org/sku', baseType: Text })
  class Sku {
    static parse(value: unknown) {
      if (!/^[A-Z]{2}-\d$/.test(`${value}`)) throw new Error('a code looks like AB-1')
      return `${value}`.toLowerCase()
    }
    static parseLiteral(node: { kind: string; value?: string }) {
      if (node.kind !== 'StringValue') throw new Error('a code stands in quotes')
      return Sku.parse(node.value)
    }
    static serialize(value: unknown) {
      return `${value}`.toUpperCase()
    }
  }

  @scalar({
    baseType: Decimal,
    validationRules: [{ range: { min: 0 } }, { maximum: 10, message: 'Ten is the best' }],
    eloExpression: 'value % 0.5 == 0',
  })
  class Score {}

  @scalar({ baseType: Text, validationRules: [{ pattern: '^[a-z]+$' }] })
  class Word {}

  @interface_({ description: 'What has a name', sqlSource: 'v_named', typeColumn: 'kind' })
  class Named {
    @field(ID) id!: string
    @field(Text) name!: string
  }

  @type({ implements: [Named], description: 'Who makes it' })
  class Maker extends Named {
    @field(nullable(Email), { column: 'mail' }) email!: string | null
    @field(() => list(Item), { relation: { from: 'pk_maker', to: 'fk_producer' } }) items!: unknown
    @field(nullable(Text), { computed: true }) greeting!: string | null
  }

  @type({ sqlSource: 'v_item', implements: [Named] })
  class Item {
    @field(ID) id!: string
    @field(Text, { column: 'title', filterType: 'IDFilter' }) name!: string
    @field(nullable(list(Text))) tags!: string[] | null
    @field(nullable(Sku)) sku!: string | null
    @field(nullable(State)) state!: string | null
    @field(nullable(Score)) score!: string | null
    @field(() => nullable(Maker), { relation: { from: 'fk_producer', to: 'pk_maker' } }) maker!: unknown
  }

  @type({ sqlSource: 'v_sized', jsonbColumn: 'doc' })
  class Sized {
    @field(ID) id!: string
    @field(Int) size!: number
    @field(nullable(Text), { filterType: 'UUIDFilter' }) shade!: string | null
  }

  @union({ members: () => [Maker, Item], description: 'Either of them', sqlSource: 'v_named', typeColumn: 'sort' })
  class Either {}

  @error({ description: 'It is sold out' })
  class OutOfStockError {
    @field(Text) message!: string
    @field(Text) code!: string
    @field(Int) left_over!: number
  }

  @union({ members: () => [Maker, OutOfStockError] })
  class OrderResult {}

  @input({ description: 'A new item' })
  class NewItem {
    @field(Text, { description: 'On the label' }) title!: string
    @field(Int, { default: 3, deprecated: 'Nobody ranks' }) rank!: number
  }

  @input()
  class Scores {
    @field(list(Score), { default: ['1.5'] }) scores!: string[]
  }

  class Api {
    @query(() => list(Maker), { description: 'All who make', autoParams: { limit: true } }) makers!: unknown
    @query(() => list(Item), {
      deprecated: 'Use made',
      autoParams: false,
      args: { state: { type: nullable(State), deprecated: 'Old' } },
    })
    items!: unknown
    @query(() => nullable(Item), {
      args: { key: { type: ID, description: 'Its id' } },
      idArg: 'key',
      rowFilter: 'fk_producer = {maker}',
    })
    made!: unknown
    @query(() => list(Item), {
      sqlSource: 'v_searched',
      args: {
        words: { type: nullable(Text), fullText: 'words' },
        phrase: { type: nullable(Text), fullText: { column: 'words', query: 'phrase' } },
        search: { type: nullable(Text), fullText: { column: 'words', query: 'websearch' } },
        exact: { type: nullable(Text), fullText: { column: 'words', config: 'simple' } },
        best: { type: nullable(Text), fullText: { column: 'words', query: 'websearch', rank: true } },
      },
    })
    searched!: unknown
    @query(() => list(Sized)) sizes!: unknown
    @query(() => list(Sized), { jsonbColumn: 'plan' }) planned!: unknown
    @query(() => list(Named)) named!: unknown
    @query(() => list(Named), { typeColumn: 'told' }) told!: unknown
    @query(() => list(Either)) either!: unknown
    @query(() => list(Item), { autoParams: { where: true, orderBy: true } }) found!: unknown
    @query(() => list(Item), {
      args: { sku: nullable(Sku), pk_item: nullable(Int) },
      autoParams: false,
      validate: { anyOf: ['sku', 'pk_item'] },
    })
    checked!: unknown
    @mutation(() => Item, { description: 'Adds one', args: { input: NewItem } }) addItem!: unknown
    @mutation(() => Item, { deprecated: 'Does nothing' }) nothing!: unknown
    @mutation(() => nullable(Int), { sqlSource: 'fn_rank', args: { a_title: Text } }) rankOf!: unknown
    @mutation(() => OrderResult, { sqlSource: 'fn_order', args: { sku: Text } }) placeOrder!: unknown
    @mutation(() => nullable(Score), { args: { input: Scores } }) best!: unknown
    @mutation(() => nullable(Sku), { sqlSource: 'fn_echo', args: { code: Sku } }) echo!: unknown
    @mutation(() => nullable(Word), { sqlSource: 'fn_echo', args: { code: Word } }) spell!: unknown
  }
  return { Api, Sku }
}
