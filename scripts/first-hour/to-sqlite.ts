const FOREIGN_KEY = /ALTER TABLE (\w+) ADD (CONSTRAINT \w+\s+FOREIGN KEY [^;]+);/g

/**
 * Translates the script of Chinook for PostgreSQL to one for SQLite, which cannot add a foreign key to a table and has
 * no `N'…'`.
 */
export function toSqlite(script: string): string {
  const keys = new Map<string, string[]>()
  for (const [, table = '', key = ''] of script.matchAll(FOREIGN_KEY))
    keys.set(table, [...(keys.get(table) ?? []), key])
  const tables = script
    .replaceAll(FOREIGN_KEY, '')
    .replaceAll(
      /CREATE TABLE (\w+)\n\(([\s\S]*?)\n\);/g,
      (_, table: string, columns: string) =>
        `CREATE TABLE ${table}\n(${[columns, ...(keys.get(table) ?? [])].join(',\n')}\n);`,
    )
    .replaceAll(/([(,]\s*)N'/g, "$1'")
  return `BEGIN;\n${tables}\nCOMMIT;\n`
}
