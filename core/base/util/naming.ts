/**
 * Converts a declared name to the camelCase name that clients use: `created_at` → `createdAt`, `dns_1_id` → `dns1Id`.
 * Leading underscores are kept. The compiler does this once and stores the result; there is no conversion back.
 */
export function toWireName(declared: string): string {
  const lead = /^_*/.exec(declared)?.[0] ?? ''
  const parts = declared.slice(lead.length).split(/_+/)
  return lead + parts.map((part, index) => (index === 0 ? lowerFirst(part) : upperFirst(part))).join('')
}

/**
 * Converts a declared name to snake_case, for columns, document keys and derived source names: `createdAt` → `created_at`, `OrderItem` →
 * `order_item`, `HTTPServer` → `http_server`, `dns1Id` → `dns1_id`. A name in snake_case is unchanged.
 */
export function toSnakeCase(declared: string): string {
  if (!/[A-Z]/.test(declared)) return declared
  return declared
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

function upperFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
