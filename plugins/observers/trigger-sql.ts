import { type Database, SvcError } from '../../core/doors/plugin.ts'

const NAME = /^[A-Za-z_][A-Za-z0-9_$]*$/

export interface TriggerRequest {
  /** Name of the GraphQL type whose changes are recorded. */
  readonly entity: string
  /** Name of the table, such as `tb_user` or `app.tb_user`. */
  readonly table: string
  /** Column with the id of the row in the schema. */
  readonly key: string
}

const PLACE = {
  name: null,
  text: `SELECT (SELECT relnamespace::regnamespace::text FROM pg_class WHERE oid = to_regclass('svc_outbox')), quote_ident(current_schema()),
    (SELECT relnamespace::regnamespace::text FROM pg_class WHERE oid = to_regclass($1))`,
} as const

/**
 * Returns the SQL of a trigger that records changes which other programs than svc make to a table. The trigger runs at
 * COMMIT and skips rows for which svc has already recorded an event in the transaction.
 * @throws SvcError SVC_USAGE for an invalid name, or a table without this column
 */
export async function triggerSql({ entity, table, key }: TriggerRequest, database: Database): Promise<string> {
  const parts = table.split('.')
  if (parts.length > 2 || !parts.every((part) => NAME.test(part))) throw usage(`"${table}" is no name of a table`)
  if (!NAME.test(key)) throw usage(`"${key}" is no name of a column`)
  if (!NAME.test(entity)) throw usage(`"${entity}" is no name of a type`)
  const [outbox, current, found] = (await database.query(PLACE, [parts.map(quote).join('.')], null)).rows[0]!
  const schema = outbox ?? current
  if (schema == null)
    throw usage('the search_path of this role names no schema that exists, so it is open where svc_outbox will be')
  const name = quote(`svc_outbox_${parts.at(-1)}`.slice(0, 63))
  const on = parts.length === 1 && found != null ? `${found}.${quote(table)}` : parts.map(quote).join('.')
  return `${FUNCTION.replaceAll('%schema', () => schema)}
DROP TRIGGER IF EXISTS ${name} ON ${on};
CREATE CONSTRAINT TRIGGER ${name} AFTER INSERT OR UPDATE OR DELETE ON ${on}
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ${schema}.svc_outbox_capture('${entity}', '${key}');
`
}

// pg_temp comes last explicitly. By default it comes first, and any writer of the table could create an outbox of its own there.
const FUNCTION = `CREATE OR REPLACE FUNCTION %schema.svc_outbox_capture() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp AS $svc$
DECLARE
  v_old jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END;
  v_new jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END;
  v_id text := coalesce(v_new, v_old) ->> TG_ARGV[1];
BEGIN
  IF v_old IS NOT DISTINCT FROM v_new OR EXISTS (
    SELECT FROM %schema.svc_outbox WHERE tx = pg_current_xact_id() AND mutation IS NOT NULL
      AND coalesce(entity_id, coalesce(new_row, old_row) ->> TG_ARGV[1]) = v_id AND (entity_type = TG_ARGV[0] OR entity_type IS NULL)
  ) THEN
    RETURN NULL;
  END IF;
  INSERT INTO %schema.svc_outbox (kind, entity_type, entity_id, old_row, new_row) VALUES (TG_OP, TG_ARGV[0], v_id, v_old, v_new);
  PERFORM pg_notify('svc_outbox', '');
  RETURN NULL;
END
$svc$;
REVOKE ALL ON FUNCTION %schema.svc_outbox_capture() FROM PUBLIC;`

function quote(name: string): string {
  return `"${name}"`
}

function usage(message: string): SvcError {
  return new SvcError('SVC_USAGE', `svc events triggers: ${message}.`)
}
