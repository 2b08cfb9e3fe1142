import type { Database } from '../../core/doors/plugin.ts'

/** What a function of the tests sets for its session. */
const SETTINGS: Readonly<Record<string, string>> = {
  TimeZone: 'Asia/Tokyo',
  IntervalStyle: 'iso_8601',
  DateStyle: 'German, DMY',
  search_path: 'pg_catalog',
  default_transaction_read_only: 'on',
  'app.user': 'somebody',
  role: 'pg_monitor',
}
const SET = Object.entries(SETTINGS).map(([name, value]) => `PERFORM set_config('${name}', '${value}', false);`)
export const SQL = `
CREATE FUNCTION fn_set() RETURNS int LANGUAGE plpgsql AS $$ BEGIN ${SET.join(' ')} RETURN 1; END $$;
CREATE FUNCTION fn_set_own() RETURNS text LANGUAGE sql VOLATILE AS $$ SELECT set_config('app.user', 'somebody', false) $$;
CREATE FUNCTION fn_set_zone() RETURNS text LANGUAGE sql VOLATILE AS $$ SELECT set_config('TimeZone', 'Asia/Tokyo', false) $$;
CREATE FUNCTION fn_pass() RETURNS text LANGUAGE sql VOLATILE AS $$ SELECT set_config('session_authorization', 'pg_monitor', false) $$;
CREATE VIEW v_zone AS SELECT fn_set_zone() AS zone;
CREATE TABLE seen (who text);
CREATE TABLE work (n int);
CREATE FUNCTION tr_seen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN INSERT INTO seen VALUES (current_setting('app.user', true)); RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER tr_work AFTER INSERT ON work DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tr_seen();
`
const NAMES = Object.keys(SETTINGS)
const READ = {
  name: 'settings',
  text: `SELECT ${NAMES.map((name) => `current_setting('${name}', true)`).join(', ')}, current_user, session_user`,
  readOnly: true,
}
export const settingsOf = async (database: Database) => {
  const row = (await database.query(READ, [], null)).rows[0]!
  // A setting of one's own that is reset is empty instead of not there.
  return row.map((value) => value ?? '')
}
