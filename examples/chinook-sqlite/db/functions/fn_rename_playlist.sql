-- :id integer
-- :name text

SELECT svc_raise('NOT_FOUND', 'There is no playlist ' || :id) WHERE NOT EXISTS (SELECT 1 FROM playlist WHERE playlist_id = :id);
SELECT svc_raise('PLAYLIST_NAME_EMPTY', 'A playlist needs a name') WHERE trim(:name) = '';

UPDATE playlist SET name = trim(:name) WHERE playlist_id = :id
RETURNING 'updated' AS status, 'Playlist renamed' AS message, playlist_id AS entity_id, 'Playlist' AS entity_type,
  '["name"]' AS updated_fields;
