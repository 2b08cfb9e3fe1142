INSERT INTO tv_invoice_document (pk_invoice_document, data)
SELECT i.invoice_id,
       json_object(
         'id', i.invoice_id,
         'invoice_date', i.invoice_date,
         'total', json(i.total),
         'customer', json_object('name', c.first_name || ' ' || c.last_name, 'country', c.country),
         'lines', (SELECT json_group_array(json_object('track', t.name, 'artist', ar.name,
                                                       'unit_price', json(l.unit_price), 'quantity', l.quantity)
                                           ORDER BY l.invoice_line_id)
                   FROM invoice_line l
                   JOIN track t ON t.track_id = l.track_id
                   LEFT JOIN album al ON al.album_id = t.album_id
                   LEFT JOIN artist ar ON ar.artist_id = al.artist_id
                   WHERE l.invoice_id = i.invoice_id))
FROM invoice i JOIN customer c ON c.customer_id = i.customer_id;
