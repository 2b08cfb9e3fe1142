import type { AuthoredSchema } from '../../../core/schema/authored.ts'

const CALL = `RETURNS jsonb LANGUAGE plpgsql AS $$`

/**
 * Items that are created, changed and dropped, including failures. Each function records its change in `tb_ledger`:
 * the ledger contains exactly the committed changes.
 */
export const ITEMS_SQL = `
CREATE TABLE tb_item (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text NOT NULL, version int NOT NULL DEFAULT 1);
CREATE VIEW v_item AS SELECT id, name, version FROM tb_item;
CREATE TABLE tb_ledger (item uuid NOT NULL, kind text NOT NULL, version int NOT NULL);
CREATE TABLE tb_refused (item uuid NOT NULL);
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused at COMMIT'; END $$;
CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON tb_refused DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE FUNCTION answer(status text, item tb_item) RETURNS jsonb LANGUAGE sql AS $$
  SELECT jsonb_build_object('status', status, 'entity_id', item.id, 'entity', to_jsonb(item)) $$;
CREATE FUNCTION fn_make_item(name text) ${CALL} DECLARE item tb_item; BEGIN
  INSERT INTO tb_item (name) VALUES (fn_make_item.name) RETURNING * INTO item;
  INSERT INTO tb_ledger VALUES (item.id, 'INSERT', 1);
  RETURN answer('created', item); END $$;
CREATE FUNCTION fn_change_item(id uuid, name text) ${CALL} DECLARE item tb_item; BEGIN
  UPDATE tb_item i SET name = fn_change_item.name, version = i.version + 1 WHERE i.id = fn_change_item.id RETURNING * INTO item;
  IF item.id IS NULL THEN RETURN jsonb_build_object('status', 'failed:not_found', 'message', 'There is no such item.'); END IF;
  INSERT INTO tb_ledger VALUES (item.id, 'UPDATE', item.version);
  RETURN answer('updated', item); END $$;
CREATE FUNCTION fn_drop_item(id uuid) ${CALL} DECLARE item tb_item; BEGIN
  DELETE FROM tb_item i WHERE i.id = fn_drop_item.id RETURNING * INTO item;
  IF item.id IS NULL THEN RETURN jsonb_build_object('status', 'failed:not_found', 'message', 'There is no such item.'); END IF;
  INSERT INTO tb_ledger VALUES (item.id, 'DELETE', item.version + 1);
  RETURN answer('deleted', item); END $$;
CREATE FUNCTION fn_fail_item(id uuid) ${CALL} BEGIN
  PERFORM fn_change_item(fn_fail_item.id, 'rolled back'); RAISE EXCEPTION 'refused at once'; END $$;
CREATE FUNCTION fn_refuse_item(id uuid) ${CALL} DECLARE result jsonb; BEGIN
  result := fn_change_item(fn_refuse_item.id, 'rolled back');
  INSERT INTO tb_refused VALUES (fn_refuse_item.id); RETURN result; END $$;
`

const ID = { name: 'id', type: 'ID!' }
const NAME = { name: 'name', type: 'String!' }

/**
 * Sends every change to this URL; a receiver that refuses gets it again until it accepts.
 * @param isKept events are stored, so that subscribers can resume
 */
export function itemsSchema(url: string, isKept: boolean): AuthoredSchema {
  const mutation = (name: string, operation: string, args: readonly object[]) => ({
    name: `${name}Item`,
    type: 'Item',
    sql_source: `fn_${name}_item`,
    operation,
    arguments: args,
  })
  const observer = (event: string) => ({
    name: `all_${event.toLowerCase()}`,
    entity: 'Item',
    event,
    actions: [{ type: 'webhook', url }],
    retry: { max_attempts: 100, backoff_strategy: 'fixed', initial_delay_ms: 50, max_delay_ms: 50 },
  })
  return {
    version: '1',
    types: [{ name: 'Item', sql_source: 'v_item', fields: [ID, NAME, { name: 'version', type: 'Int!' }] }],
    queries: [{ name: 'items', type: '[Item!]!', sql_source: 'v_item' }],
    mutations: [
      mutation('make', 'CREATE', [NAME]),
      mutation('change', 'UPDATE', [ID, NAME]),
      mutation('drop', 'DELETE', [ID]),
      mutation('fail', 'UPDATE', [ID]),
      mutation('refuse', 'UPDATE', [ID]),
    ] as never,
    subscriptions: isKept ? [{ name: 'itemKept', type: 'Item!', durable: true, replay: true }] : [],
    observers: ['INSERT', 'UPDATE', 'DELETE'].map(observer) as never,
  }
}
