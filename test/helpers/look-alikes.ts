/**
 * Origins that are not this one, and look like it: it begins or ends theirs, or they differ in one thing. Every place that compares
 * origins has to tell them apart.
 * @param own with a port, as `https://app.example.com:8443`
 */
export function lookAlikes(own: string): readonly string[] {
  const { protocol, hostname, port } = new URL(own)
  const [, ...parents] = hostname.split('.')
  const at = port === '' ? '' : `:${port}`
  const other = protocol === 'https:' ? 'http:' : 'https:'
  return [
    `${protocol}//evil-${hostname}${at}`,
    `${protocol}//evil.${hostname}${at}`,
    `${protocol}//x${hostname}${at}`,
    `${protocol}//${hostname}.evil.net${at}`,
    `${protocol}//${hostname}evil.net${at}`,
    `${protocol}//${hostname}.${at}`,
    `${protocol}//${hostname}-${at}`,
    `${protocol}//${hostname.slice(1)}${at}`,
    `${protocol}//${hostname.slice(0, -1)}${at}`,
    `${protocol}//${parents.join('.')}${at}`,
    `${protocol}//${hostname.replaceAll('.', 'x')}${at}`,
    `${protocol}//${hostname}:1`,
    `${protocol}//${hostname}${at}0`,
    `${protocol}//${hostname}@evil.net`,
    `${protocol}//evil.net@${hostname}${at}`,
    `${protocol}//evil.net/${hostname}${at}`,
    `${protocol}//evil.net?${hostname}${at}`,
    `${protocol}//evil.net#${hostname}${at}`,
    `${own}/`,
    `${own}/x`,
    `${own}, ${own}`,
    ` ${own}`,
    `x${own}`,
    hostname,
    `//${hostname}${at}`,
    `${other}//${hostname}${at}`.concat(at === '' ? ':1' : ''),
    'null',
    '',
    '*',
  ]
}

/** Those whose host is another one: for places that look at the host alone. */
export function lookAlikeHosts(own: string): readonly string[] {
  const { protocol, host } = new URL(own)
  return lookAlikes(own).filter((origin) => origin !== `${protocol === 'https:' ? 'http:' : 'https:'}//${host}`)
}
