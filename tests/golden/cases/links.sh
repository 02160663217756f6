ridge links
